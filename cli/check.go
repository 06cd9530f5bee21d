package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/store"
	"planb/store/bolt"
)

// checked is what a deep check found in a file.
type checked struct {
	File    bolt.Inspection `json:"file"`
	Content store.Audit     `json:"content"`
	// Fault is why the file could not be looked through.
	Fault string `json:"fault,omitempty"`
}

// checkStoreCommand is what deepCheck starts. It is given a file that nobody
// else uses.
func (p program) checkStoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "check-store FILE",
		Hidden: true,
		Args:   exactlyOne("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return json.NewEncoder(p.stdout).Encode(check(cmd.Context(), args[0]))
		},
	}
}

// mostCheckTime is far above what a check takes: some 3 s for 100,000 asks.
const mostCheckTime = 10 * time.Minute

// mostStack ends an endless recursion in a damaged tree before it fills the memory.
const mostStack = 128 << 20

func check(ctx context.Context, path string) checked {
	debug.SetMaxStack(mostStack)
	var found checked
	var err error
	if found.File, err = bolt.Check(path); err != nil {
		found.Fault = err.Error()
		return found
	}
	engine, err := bolt.At(path, bolt.Options{}) // a copy may lie where no store may
	if err != nil {
		found.Fault = err.Error()
		return found
	}
	found.Content, err = store.New(engine, store.Options{}).Audit(ctx)
	if err = errors.Join(err, engine.Close()); err != nil {
		found.Fault = err.Error()
	}
	return found
}

// problems is what is damaged in the file, in sentences: a store must not be that.
func (c checked) problems() []string {
	list := slices.Clone(c.File.Problems)
	if c.Fault != "" {
		list = append(list, c.Fault)
	}
	return list
}

// gaps is what is missing or out of order in a file that is sound, in sentences. The
// store works with them, and a repair leaves those that it cannot close.
func (c checked) gaps() []string {
	list := slices.Clone(c.Content.Problems)
	if c.Content.More > 0 {
		list = append(list, fmt.Sprintf("and %d more", c.Content.More))
	}
	return list
}

// numbers say what is in a file.
func (c checked) numbers() string {
	return counted(c.Content.Sessions, "session") + ", " + counted(c.Content.Asks, "ask") + ", " + counted(c.Content.Plans, "plan version")
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// deepCheck looks through a file that nobody else uses, in a process of its own:
// some damage ends the process that meets it.
func (p program) deepCheck(ctx context.Context, path string) (checked, error) {
	executable, err := ownProgram()
	if err != nil {
		return checked{}, err
	}
	limited, cancel := context.WithTimeout(ctx, mostCheckTime)
	defer cancel()
	var out, crash bytes.Buffer
	cmd := exec.CommandContext(limited, executable, "check-store", path)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env.pairs(), &out, &crash
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return checked{}, ctx.Err()
		}
		if limited.Err() != nil {
			return checked{Fault: fmt.Sprintf("%s could not be looked through within %v, so it is damaged, or the disk very slow", path, mostCheckTime)}, nil
		}
		first, _, _ := strings.Cut(strings.TrimSpace(crash.String()), "\n")
		return checked{Fault: fmt.Sprintf("%s is damaged so that looking through it ended in mid-way: %s (%v)", path, first, err)}, nil
	}
	var found checked
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		return checked{}, fmt.Errorf("the check of %s gave no result: %w", path, err)
	}
	return found, nil
}

// copyToCheck is a copy of a store that only this process knows of, and what a
// deep check found in it.
type copyToCheck struct {
	*bolt.Scratch
	path string
	checked
}

// checkCopy has write put a copy of the file at from into a new directory below
// dir, and looks through it. Done removes what is left of it.
func (p program) checkCopy(ctx context.Context, dir, from string, write func(to string) error) (copyToCheck, error) {
	size := int64(0)
	if info, err := os.Stat(from); err == nil { // else write tells what is wrong with it
		size = info.Size()
	}
	scratch, err := bolt.NewScratch(dir, size)
	if err != nil {
		return copyToCheck{}, err
	}
	c := copyToCheck{Scratch: scratch, path: filepath.Join(scratch.Dir, "planb.db")}
	if err = write(c.path); err == nil {
		c.checked, err = p.deepCheck(ctx, c.path)
	}
	if err != nil {
		return copyToCheck{}, errors.Join(err, c.done())
	}
	return c, nil
}

func (c copyToCheck) done() error { return c.Close() }
