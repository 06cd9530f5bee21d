package scripts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"planb/e2e/rig"
)

// scriptsDir is where the scripts lie in the module's directory.
const scriptsDir = "testdata/scripts"

func TestScripts(t *testing.T) {
	program := rig.Planb(t)
	specs, err := filepath.Abs("testdata/specs")
	if err != nil {
		t.Fatal(err)
	}
	planbMCP, err := filepath.Abs("testdata/planb-mcp")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH")
	if err := os.Setenv("PATH", path); err != nil { // t.Setenv allows no parallel tests
		t.Fatal(err)
	}
	time.Local = time.UTC // for what runs in this process
	planb, err := newInProcess(program)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(planb.root, scriptsDir),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", path)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("PLANB_DATA_DIR", filepath.Join(env.WorkDir, "data"))
			env.Setenv("TERM", "xterm-256color")
			env.Setenv("LC_ALL", "C.UTF-8")
			env.Setenv("TZ", "UTC")
			env.Setenv("GOGC", "400") // none of these processes lives long enough to need a collection
			env.Setenv("SPECS", specs)
			env.Setenv("PLANBMCP", planbMCP)
			for _, name := range []string{"TMUX", "TMUX_PANE", "XDG_DATA_HOME", "XDG_STATE_HOME", "NO_COLOR"} {
				env.Setenv(name, "")
			}
			var names []string
			for _, pair := range env.Vars {
				name, _, _ := strings.Cut(pair, "=")
				names = append(names, name)
			}
			env.Values[setUpNames{}] = names
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":    planb.exits,
			"history":  history,
			"past":     past,
			"planb":    planb.command,
			"person":   rig.PersonCommand,
			"planid":   planb.planID,
			"samehash": sameHash,
			"writer":   planb.writer,
			"draftid":  planb.draftID,
			"drafted":  drafted,
			"worked":   worked,
		},
	})
}
