package scripts_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"planb/cli/frame"
	"planb/e2e/rig"
	"planb/e2e/rig/inprocess"
)

// inProcess runs the commands of scripts in this process.
type inProcess struct {
	root    string // the module's directory
	program string // planb's file
}

func newInProcess(program string) (inProcess, error) {
	root, err := os.Getwd() // rig.Main has gone there
	return inProcess{root, program}, err
}

// command is the script command "planb ARGS...", which must succeed, or fail behind a "!".
// It is  exec planb  without a process of its own. Behind a last argument "<FILE" it reads
// that file; without, nothing.
func (p inProcess) command(ts *testscript.TestScript, neg bool, args []string) {
	if code, _ := p.run(ts, args); neg != (code != 0) {
		ts.Fatalf("exit code %d", code)
	}
}

// list reads the JSON that a command prints.
func (p inProcess) list(ts *testscript.TestScript, list any, args ...string) {
	code, printed := p.run(ts, args)
	if code != 0 {
		ts.Fatalf("exit code %d", code)
	}
	ts.Check(json.Unmarshal(printed, list))
}

// exits is the script command "exits CODE COMMAND...": the command must end with that code.
// As a command of its own, planb runs in this process; "exits CODE exec planb" starts it.
func (p inProcess) exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	command := args[1:]
	switch command[0] {
	case "planb":
		if code, _ := p.run(ts, command[1:]); strconv.Itoa(code) != args[0] {
			ts.Fatalf("exit code %d, want %s", code, args[0])
		}
		return
	case "exec":
		command = command[1:]
	}
	rig.CheckExit(ts, args[0], ts.Exec(command[0], command[1:]...))
}

// run runs a command in the script's directory. It returns the exit code and what the
// command printed to stdout.
func (p inProcess) run(ts *testscript.TestScript, args []string) (code int, printed []byte) {
	command := inprocess.Command{Args: args, Dir: ts.MkAbs("."), Env: p.environment(ts), Program: p.program}
	if last := len(args) - 1; last >= 0 && strings.HasPrefix(args[last], "<") {
		command.Args, command.Stdin = args[:last], ts.MkAbs(args[last][1:])
	}
	end, err := command.Run(context.Background())
	ts.Check(err)
	_, outErr := ts.Stdout().Write(end.Stdout)
	_, errErr := ts.Stderr().Write(end.Stderr)
	ts.Check(errors.Join(outErr, errErr))
	return end.Code, end.Stdout
}

// environment returns the variables that Setup or the script set.
func (p inProcess) environment(ts *testscript.TestScript) frame.Environment {
	env := frame.Environment{}
	for _, name := range ts.Value(setUpNames{}).([]string) {
		env[name] = ts.Getenv(name)
	}
	script, err := os.ReadFile(filepath.Join(p.root, scriptsDir, ts.Name()+".txtar"))
	ts.Check(err)
	for _, set := range regexp.MustCompile(`(?m)^env '?(\w+)=`).FindAllSubmatch(script, -1) {
		if name := string(set[1]); ts.Getenv(name) != "" {
			env[name] = ts.Getenv(name)
		}
	}
	return env
}

// setUpNames is the key of the names of the variables that Setup set.
type setUpNames struct{}
