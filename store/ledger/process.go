package ledger

import (
	"os"

	"planb/store/machine"
)

// process identifies this process in claims.
type process struct {
	pid   int
	start string
	boot  string
	host  string
}

func thisProcess() process {
	p := process{pid: os.Getpid(), boot: machine.Run()}
	p.start, _ = processStart(p.pid)
	// A host without a name is as good as any: PIDs are compared by boot.
	p.host, _ = os.Hostname()
	return p
}

// knowsDead reports whether the claim's process ran on this system, which
// counts its PIDs as this process does, and is gone.
func (p process) knowsDead(c Claim) bool {
	if c.PID <= 0 || p.boot == "" || c.Boot != p.boot || c.Host != p.host {
		return false
	}
	start, state := processStart(c.PID)
	switch state {
	case processGone:
		return true
	case processRuns:
		return c.Start != "" && start != "" && c.Start != start
	}
	return false
}

// processState is what could be found out about a process.
type processState int

const (
	processUnknown processState = iota
	processRuns
	processGone
)
