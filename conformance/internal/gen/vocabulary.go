package gen

// The words cases are made of. They are few, so that selectors match something often enough.
var (
	apps       = []string{"chat", "vision", "ranker", "embedder", "router"}
	tiers      = []string{"gold", "silver", "bronze", ""}
	versions   = []string{"v1", "v2", "1.10", "Canary_3"}
	namespaces = []string{"serving", "default", "blue", "green"}
	zones      = []string{"east-1", "east-2", "west-1"}
	regions    = []string{"east", "west"}
	racks      = []string{"r1", "r2", "r3", "r4"}
	gpuTypes   = []string{"a100", "l40", "t4"}
	taintKeys  = []string{"dedicated", "gpu", "example.com/maintenance", "node.kubernetes.io/not-ready"}
	taintVals  = []string{"", "batch", "serving"}
	effects    = []string{"NoSchedule", "PreferNoSchedule", "NoExecute"}
	// topologyKeys holds keys every node has, keys some nodes have and a key no node has.
	topologyKeys = []string{"kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "example.com/rack",
		"kubernetes.io/arch", "example.com/nowhere"}
	images = []string{"models.example/chat:v1", "models.example/chat:v2", "models.example/vision", "models.example:5000/ranker",
		"models.example:5000/ranker:v3", "busybox", "models.example/embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}
)

const (
	mebibyte = int64(1) << 20
	gibibyte = int64(1) << 30
)
