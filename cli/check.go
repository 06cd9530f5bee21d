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
	// Fault says why the file could not be checked.
	Fault string `json:"fault,omitempty"`
}

// checkStoreCommand is the command that deepCheck starts, on a file that no
// other process uses.
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

// maxCheckTime is far above what a check needs: about 3 s for 100,000 asks.
const maxCheckTime = 10 * time.Minute

// maxStack ends an endless recursion in a damaged tree before it fills the
// memory.
const maxStack = 128 << 20

func check(ctx context.Context, path string) checked {
	debug.SetMaxStack(maxStack)
	var found checked
	var err error
	if found.File, err = bolt.Check(path); err != nil {
		found.Fault = err.Error()
		return found
	}
	engine, err := bolt.At(path, bolt.Options{}) // unlike Open, At takes a copy in any directory
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

// problems lists the damage in the file, in sentences. A store with damage is
// not used.
func (c checked) problems() []string {
	list := slices.Clone(c.File.Problems)
	if c.Fault != "" {
		list = append(list, c.Fault)
	}
	return list
}

// gaps lists what is missing or out of order in a sound file, in sentences. The
// store works with gaps; a repair closes those it can.
func (c checked) gaps() []string {
	list := slices.Clone(c.Content.Problems)
	if c.Content.More > 0 {
		list = append(list, fmt.Sprintf("and %d more", c.Content.More))
	}
	return list
}

// numbers counts what is in the file.
func (c checked) numbers() string {
	return counted(c.Content.Sessions, "session") + ", " + counted(c.Content.Asks, "ask") + ", " + counted(c.Content.Plans, "plan version")
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// deepCheck checks a file that no other process uses. It starts a process of
// its own for that, because some damage crashes the process that reads it.
func (p program) deepCheck(ctx context.Context, path string) (checked, error) {
	executable, err := ownProgram()
	if err != nil {
		return checked{}, err
	}
	limited, cancel := context.WithTimeout(ctx, maxCheckTime)
	defer cancel()
	var out, crash bytes.Buffer
	cmd := exec.CommandContext(limited, executable, "check-store", path)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env.pairs(), &out, &crash
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return checked{}, ctx.Err()
		}
		if limited.Err() != nil {
			return checked{Fault: fmt.Sprintf("%s could not be checked within %v, so it is damaged or the disk is very slow", path, maxCheckTime)}, nil
		}
		first, _, _ := strings.Cut(strings.TrimSpace(crash.String()), "\n")
		return checked{Fault: fmt.Sprintf("%s is damaged: the check of it crashed: %s (%v)", path, first, err)}, nil
	}
	var found checked
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		return checked{}, fmt.Errorf("the check of %s gave no result: %w", path, err)
	}
	return found, nil
}

// checkedCopy is a private copy of a store, with the result of its deep check.
type checkedCopy struct {
	*bolt.Scratch
	path string
	checked
}

// checkCopy makes a new directory below dir, has write put a copy of the file
// at from there, and checks the copy. The caller must call done to remove the
// directory.
func (p program) checkCopy(ctx context.Context, dir, from string, write func(to string) error) (checkedCopy, error) {
	size := int64(0)
	if info, err := os.Stat(from); err == nil { // otherwise write returns the error
		size = info.Size()
	}
	scratch, err := bolt.NewScratch(dir, size)
	if err != nil {
		return checkedCopy{}, err
	}
	c := checkedCopy{Scratch: scratch, path: filepath.Join(scratch.Dir, "planb.db")}
	if err = write(c.path); err == nil {
		c.checked, err = p.deepCheck(ctx, c.path)
	}
	if err != nil {
		return checkedCopy{}, errors.Join(err, c.done())
	}
	return c, nil
}

func (c checkedCopy) done() error { return c.Close() }
