package scripts_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"planb/cli"
	"planb/cli/frame"
	"planb/e2e/rig"
)

// inProcess runs planb's commands in this process: to start one takes ten times as long as
// most commands take.
type inProcess struct {
	root    string // the module's directory
	program string // planb's file, for what starts it again
	content cli.Content
	turn    sync.Mutex // a process has one working directory
}

func newInProcess(program string) (*inProcess, error) {
	root, err := os.Getwd() // rig.Main has gone there
	if err != nil {
		return nil, err
	}
	p := &inProcess{root: root, program: program}
	for file, to := range map[string]*string{"skills/planb/SKILL.md": &p.content.Skill, "testdata/specs/medium.json": &p.content.DemoForm} {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		*to = string(text)
	}
	return p, nil
}

// command is the script command "planb ARGS...", which must succeed, or fail behind a "!".
// It is  exec planb  without stdin and without a process of its own.
func (p *inProcess) command(ts *testscript.TestScript, neg bool, args []string) {
	if code, _ := p.run(ts, args); neg != (code != 0) {
		ts.Fatalf("exit code %d", code)
	}
}

// list reads the JSON that a command prints.
func (p *inProcess) list(ts *testscript.TestScript, list any, args ...string) {
	code, printed := p.run(ts, args)
	if code != 0 {
		ts.Fatalf("exit code %d", code)
	}
	ts.Check(json.Unmarshal(printed, list))
}

// exits is the script command "exits CODE COMMAND...": the command must end with that code.
// As a command of its own, planb runs in this process; "exits CODE exec planb" starts it.
func (p *inProcess) exits(ts *testscript.TestScript, neg bool, args []string) {
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
func (p *inProcess) run(ts *testscript.TestScript, args []string) (code int, printed []byte) {
	around := frame.Program{Env: p.environment(ts), File: p.program}
	var err error
	around.Stdin, err = os.Open(os.DevNull)
	ts.Check(err)
	defer around.Stdin.Close()
	around.Stdout, err = os.CreateTemp("", "planb-stdout-")
	ts.Check(err)
	around.Stderr, err = os.CreateTemp("", "planb-stderr-")
	ts.Check(err)

	p.turn.Lock()
	defer p.turn.Unlock()
	ts.Check(os.Chdir(ts.MkAbs(".")))
	code = cli.Run(context.Background(), around, p.content, args)
	ts.Check(os.Chdir(p.root))

	printed = written(ts, around.Stdout, ts.Stdout())
	written(ts, around.Stderr, ts.Stderr())
	return code, printed
}

// written copies to out what was written to a temporary file, and removes the file.
func written(ts *testscript.TestScript, file *os.File, out io.Writer) []byte {
	text, err := os.ReadFile(file.Name())
	ts.Check(errors.Join(err, file.Close(), os.Remove(file.Name())))
	_, err = out.Write(text)
	ts.Check(err)
	return text
}

// environment returns the variables that Setup or the script set.
func (p *inProcess) environment(ts *testscript.TestScript) frame.Environment {
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
