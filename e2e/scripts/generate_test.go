package scripts_test

import (
	"os/exec"
	"strings"
	"testing"

	"planb/e2e/rig"
)

func TestStoreOfAnySizeIsGenerated(t *testing.T) {
	dir := t.TempDir()
	program, err := rig.Build("generate", "./e2e/rig/generate")
	if err != nil {
		t.Fatal(err)
	}
	generate := func() (string, error) {
		out, err := exec.CommandContext(t.Context(), program,
			"-sessions", "5", "-asks", "20", "-versions", "10", "-longest", "4", "-version-bytes", "1000", dir).CombinedOutput()
		return string(out), err
	}
	if out, err := generate(); err != nil || !strings.Contains(out, "5 sessions, 20 asks, 10 versions") || !strings.Contains(out, "problems: 0") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := generate(); err == nil || !strings.Contains(out, "not empty") {
		t.Errorf("over a store that is there: %v: %s", err, out)
	}
}
