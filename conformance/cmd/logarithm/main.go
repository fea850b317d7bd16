// Command logarithm prints Go's math.Log and math.Round for a table of arguments, all as the bits of float64 in
// hexadecimal; the rounded value is an int64 in decimal. The table is the same in every run. Run it on amd64, where
// math.Log is written in assembly.
package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

func main() {
	fmt.Println("# ln: argument, result")
	for _, x := range logarithms() {
		fmt.Printf("ln %016x %016x\n", math.Float64bits(x), math.Float64bits(math.Log(x)))
	}
	fmt.Println("# round: argument, result")
	for _, x := range rounded() {
		fmt.Printf("round %016x %d\n", math.Float64bits(x), int64(math.Round(x)))
	}
}

// logarithms returns whole numbers, as counts of domains are, and arguments at the edges of the algorithm.
func logarithms() []float64 {
	var list []float64
	for i := 1; i <= 400; i++ {
		list = append(list, float64(i))
	}
	for _, i := range []int{500, 999, 1000, 1001, 1024, 4999, 5002, 10002, 15002, 65536, 100002, 1000002} {
		list = append(list, float64(i))
	}
	edge := math.Sqrt2 / 2
	for _, x := range []float64{edge, 2 * edge, 4096 * edge, 1} {
		list = append(list, math.Nextafter(x, 0), x, math.Nextafter(x, math.Inf(1)))
	}
	list = append(list, math.MaxFloat64, 0x1p-1022, 0x1p-1023, math.SmallestNonzeroFloat64, 0, math.Copysign(0, -1), math.Inf(1))
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		list = append(list, math.Ldexp(0.5+random.Float64()/2, random.IntN(200)-100))
	}
	return list
}

// rounded returns numbers next to halves and next to the limits of the integer type.
func rounded() []float64 {
	list := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 0x1p62, 0x1p63, -0x1p63, 0x1p64, -0x1p64}
	for _, whole := range []float64{0, 1, 2, 3, 7, 99, 1000, 123456, 0x1p51, 0x1p52} {
		half := whole + 0.5
		for _, x := range []float64{whole, math.Nextafter(half, 0), half, math.Nextafter(half, math.Inf(1))} {
			list = append(list, x, -x)
		}
	}
	return list
}
