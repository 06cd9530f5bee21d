// Package inprocess runs planb's commands in the process of the tests: to start planb
// takes ten times as long as most commands take. It is for commands that need no process of
// their own.
package inprocess

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"

	"planb/cli"
	"planb/cli/frame"
)

// Command is a command line with what it runs in.
type Command struct {
	Args    []string // without "planb"
	Dir     string
	Env     frame.Environment
	Stdin   string // the file that the command reads; "": it reads nothing
	Program string // planb's file, for what starts it again
	// Terminal is what the command reads from and prints to, both ways; nil: files.
	Terminal *os.File
}

// Ended is what a command printed, unless to a terminal, and its exit code.
type Ended struct {
	Code           int
	Stdout, Stderr []byte
}

// turn is held while a command runs: a process has one working directory.
var turn sync.Mutex

// content is what main embeds.
var content = sync.OnceValues(func() (c cli.Content, err error) {
	for file, to := range map[string]*string{"skills/planb/SKILL.md": &c.Skill, "testdata/specs/medium.json": &c.DemoForm} {
		text, err := os.ReadFile(file)
		if err != nil {
			return c, err
		}
		*to = string(text)
	}
	return c, nil
})

// Run runs the command to its end. The tests of the process stand in the module's root, as
// after rig.Main, and find themselves there again.
func (c Command) Run(ctx context.Context) (end Ended, err error) {
	around := frame.Program{Env: c.Env, File: c.Program, ChecksHere: true}
	if c.Terminal != nil {
		around.Stdin, around.Stdout, around.Stderr = c.Terminal, c.Terminal, c.Terminal
		end.Code, err = run(ctx, around, c.Dir, c.Args)
		return end, err
	}
	if around.Stdin, err = os.Open(cmp.Or(c.Stdin, os.DevNull)); err != nil {
		return end, err
	}
	defer around.Stdin.Close()
	for _, to := range []**os.File{&around.Stdout, &around.Stderr} {
		if *to, err = os.CreateTemp("", "planb-printed-"); err != nil {
			return end, err
		}
		defer os.Remove((*to).Name())
		defer (*to).Close()
	}
	if end.Code, err = run(ctx, around, c.Dir, c.Args); err != nil {
		return end, err
	}
	var outErr, errErr error
	end.Stdout, outErr = os.ReadFile(around.Stdout.Name())
	end.Stderr, errErr = os.ReadFile(around.Stderr.Name())
	return end, errors.Join(outErr, errErr)
}

// run runs a command in a directory, and comes back from there.
func run(ctx context.Context, around frame.Program, dir string, args []string) (code int, err error) {
	turn.Lock()
	defer turn.Unlock()
	embedded, err := content()
	if err != nil {
		return 0, err
	}
	root, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir)
	}
	if err != nil {
		return 0, err
	}
	code = cli.Run(ctx, around, embedded, args)
	return code, os.Chdir(root)
}
