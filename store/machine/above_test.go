package machine

import (
	"os"
	"runtime"
	"testing"
)

func TestTheProcessesAboveThisOne(t *testing.T) {
	names := Above()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the system does not tell")
	}
	name, _, ok := parentOf(os.Getppid())
	if !ok || len(names) == 0 || names[0] != name {
		t.Errorf("above are %q, and the parent is %q", names, name)
	}
}
