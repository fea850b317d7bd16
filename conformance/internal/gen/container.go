package gen

import (
	"fmt"
)

// containers makes a pod spec with its containers, init containers, overhead and pod-level resources.
func (w *world) containers() tree {
	spec := tree{}
	var main list
	for i := range w.between(1, pick(w.source, 1, 1, 2, 3)) {
		main = append(main, w.container(fmt.Sprintf("c%d", i)))
	}
	spec["containers"] = main
	if w.chance(w.rich) {
		var first list
		for i := range w.between(0, 3) {
			container := w.container(fmt.Sprintf("i%d", i))
			if w.chance(45) {
				container["restartPolicy"] = "Always"
			}
			first = append(first, container)
		}
		if len(first) > 0 {
			spec["initContainers"] = first
		}
		if w.chance(30) {
			spec["overhead"] = tree{"cpu": w.cpu(int64(w.between(1, 300))), "memory": w.bytes(int64(w.between(1, 200)) * mebibyte)}
		}
		if w.chance(25) {
			w.podLevel(spec)
		}
		if w.chance(10) {
			spec["hostNetwork"] = true
		}
		if w.chance(8) {
			w.needFeature(spec)
		}
	}
	return spec
}

// container makes one container.
func (w *world) container(name string) tree {
	container := tree{"name": name, "image": pick(w.source, images...)}
	if resources := w.requirements(); len(resources) > 0 {
		container["resources"] = resources
	}
	if w.chance(w.ports) {
		var ports list
		for range w.between(1, 2) {
			port := tree{"containerPort": w.between(8000, 8002)}
			if w.chance(85) {
				port["hostPort"] = w.between(8000, 8002)
			}
			if w.chance(50) {
				port["protocol"] = pick(w.source, "TCP", "UDP", "SCTP")
			}
			if w.chance(50) {
				port["hostIP"] = pick(w.source, "0.0.0.0", "10.0.0.1", "10.0.0.2", "127.0.0.1", "::", "")
			}
			ports = append(ports, port)
		}
		container["ports"] = ports
	}
	return container
}

// requirements makes requests and limits; a limit without a request becomes the request.
func (w *world) requirements() tree {
	requests, limits := tree{}, tree{}
	scale := int64(1)
	if w.chance(w.greedy) {
		scale = 4
	}
	if w.chance(75) {
		requests["cpu"] = w.cpu(scale * pick(w.source, int64(0), 1, 100, 250, 333, 500, 1000, 1500))
	}
	if w.chance(70) {
		requests["memory"] = w.bytes(scale * pick(w.source, int64(0), 1, 64*mebibyte, 200*mebibyte, 500000000, gibibyte, 1234567890, 2*gibibyte))
	}
	if w.chance(10) {
		requests["ephemeral-storage"] = w.bytes(scale * pick(w.source, gibibyte, 5*gibibyte))
	}
	if w.chance(20) {
		limits["nvidia.com/gpu"] = w.count(pick(w.source, 0, 1, 1, 2))
		if w.chance(30) {
			requests["nvidia.com/gpu"] = limits["nvidia.com/gpu"]
		}
	}
	if w.chance(3) {
		limits[pick(w.source, "example.com/nic", "example.com/nic", "example.com/unknown")] = "1"
	}
	if w.chance(4) {
		limits["hugepages-2Mi"] = w.bytes(int64(w.between(1, 16)) * 2 * mebibyte)
	}
	if w.chance(20) {
		limits["cpu"] = w.cpu(scale * 2000)
	}
	if w.chance(20) {
		limits["memory"] = w.bytes(scale * 3 * gibibyte)
	}
	resources := tree{}
	if len(requests) > 0 {
		resources["requests"] = requests
	}
	if len(limits) > 0 {
		resources["limits"] = limits
	}
	return resources
}

// needFeature makes the pod need a kubelet feature that nodes declare.
func (w *world) needFeature(spec tree) {
	container := spec["containers"].(list)[0].(tree)
	switch w.IntN(3) {
	case 0:
		spec["hostNetwork"], spec["hostUsers"] = true, false
	case 1:
		container["restartPolicy"] = "Never"
		container["restartPolicyRules"] = list{tree{"action": "RestartAllContainers", "exitCodes": tree{"operator": "In", "values": list{3}}}}
	default:
		spec["volumes"] = list{tree{"name": "shared", "emptyDir": tree{}}}
		container["volumeMounts"] = list{tree{"name": "shared", "mountPath": "/shared", "bindMountOptions": list{"noexec"}}}
	}
}

// podLevel gives the pod its own resources, which replace those of its containers.
func (w *world) podLevel(spec tree) {
	requests, limits := tree{}, tree{}
	if w.chance(70) {
		requests["cpu"] = w.cpu(int64(w.between(1, 16)) * 250)
	}
	if w.chance(70) {
		requests["memory"] = w.bytes(int64(w.between(1, 16)) * 256 * mebibyte)
	}
	if w.chance(40) {
		limits["cpu"] = w.cpu(int64(w.between(16, 20)) * 250)
	}
	if w.chance(40) {
		limits["memory"] = w.bytes(int64(w.between(16, 20)) * 256 * mebibyte)
	}
	if w.chance(10) {
		limits["hugepages-2Mi"] = w.bytes(4 * mebibyte)
	}
	resources := tree{}
	if len(requests) > 0 {
		resources["requests"] = requests
	}
	if len(limits) > 0 {
		resources["limits"] = limits
	}
	spec["resources"] = resources
}

// resize writes the status of an in-place resize: what the kubelet allocated and what is in force differs from the spec.
func (w *world) resize(spec, status tree) {
	var statuses list
	for _, container := range spec["containers"].(list) {
		state := tree{"name": container.(tree)["name"], "image": "x", "imageID": "", "ready": true, "restartCount": 0}
		if w.chance(80) {
			state["allocatedResources"] = tree{"cpu": w.cpu(int64(w.between(1, 20)) * 100), "memory": w.bytes(int64(w.between(1, 20)) * 100 * mebibyte)}
		}
		if w.chance(80) {
			state["resources"] = tree{"requests": tree{"cpu": w.cpu(int64(w.between(1, 20)) * 100), "memory": w.bytes(int64(w.between(1, 20)) * 100 * mebibyte)}}
		}
		statuses = append(statuses, state)
	}
	status["containerStatuses"] = statuses
	if w.chance(60) {
		status["conditions"] = list{tree{"type": "PodResizePending", "status": "True", "reason": pick(w.source, "Infeasible", "Deferred")}}
	}
}
