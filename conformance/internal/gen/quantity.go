package gen

import (
	"fmt"
	"strconv"
)

// cpu writes a number of millicores in one of the notations the API accepts. A value below a millicore's resolution rounds up.
func (s source) cpu(milli int64) string {
	if s.chance(40) {
		if milli%1000 == 0 {
			return strconv.FormatInt(milli/1000, 10)
		}
		return fmt.Sprintf("%dm", milli)
	}
	switch s.IntN(7) {
	case 0:
		return strconv.FormatFloat(float64(milli)/1000, 'f', -1, 64)
	case 1:
		return fmt.Sprintf("%de-3", milli)
	case 2:
		return fmt.Sprintf("%dE-3", milli)
	case 3:
		return fmt.Sprintf("%du", milli*1000)
	case 4:
		// Rounds up to the same number of millicores.
		return fmt.Sprintf("%du", max(milli*1000-int64(s.IntN(1000)), 0))
	case 5:
		return fmt.Sprintf("%dn", milli*1000000)
	default:
		return strconv.FormatFloat(float64(milli)/1000000, 'f', -1, 64) + "k"
	}
}

// bytes writes a number of bytes in one of the notations the API accepts.
func (s source) bytes(count int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 40, "Ti"}, {1 << 30, "Gi"}, {1 << 20, "Mi"}, {1 << 10, "Ki"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if count > 0 && count%unit.size == 0 && s.chance(60) {
			return fmt.Sprintf("%d%s", count/unit.size, unit.name)
		}
	}
	switch s.IntN(6) {
	case 0:
		return fmt.Sprintf("%d000m", count)
	case 1:
		return fmt.Sprintf("%de0", count)
	case 2:
		return strconv.FormatFloat(float64(count)/1e3, 'f', -1, 64) + "k"
	case 3:
		return strconv.FormatFloat(float64(count)/(1<<20), 'f', 2, 64) + "Mi"
	case 4:
		return strconv.FormatFloat(float64(count)/1e9, 'f', 3, 64) + "e9"
	default:
		return strconv.FormatInt(count, 10)
	}
}

// count writes a small whole number.
func (s source) count(n int) string {
	if n%10 == 0 && n > 0 && s.chance(20) {
		return fmt.Sprintf("%de1", n/10)
	}
	if s.chance(10) {
		return fmt.Sprintf("%d000m", n)
	}
	return strconv.Itoa(n)
}
