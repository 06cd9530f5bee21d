package scripts_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"planb/e2e/rig"
)

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
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/scripts",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("PLANB_DATA_DIR", filepath.Join(env.WorkDir, "data"))
			env.Setenv("TERM", "xterm-256color")
			env.Setenv("LC_ALL", "C.UTF-8")
			env.Setenv("GOGC", "400") // the scripts start planb 700 times; none of these processes lives long enough to need a collection
			env.Setenv("SPECS", specs)
			env.Setenv("PLANBMCP", planbMCP)
			for _, name := range []string{"TMUX", "TMUX_PANE", "XDG_DATA_HOME", "XDG_STATE_HOME", "NO_COLOR"} {
				env.Setenv(name, "")
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":    exits,
			"history":  history,
			"past":     past,
			"person":   rig.PersonCommand,
			"planid":   planID,
			"samehash": sameHash,
			"writer":   writer,
			"drafted":  drafted,
			"worked":   worked,
		},
	})
}

// exits CODE COMMAND... runs a command that must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	rig.CheckExit(ts, args[0], err)
}
