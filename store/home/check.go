package home

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

	"planb/store"
	"planb/store/bolt"
	"planb/store/kv"
)

// Checked is the result of a deep check of a file.
type Checked struct {
	File    kv.Inspection `json:"file"`
	Content store.Audit   `json:"content"`
	// Fault is why the file could not be checked.
	Fault string `json:"fault,omitempty"`
	// NewerFile says that this is because a newer planb wrote the file.
	NewerFile bool `json:"newerFile,omitempty"`
}

// fail notes why the file could not be checked.
func (c *Checked) fail(err error) {
	_, c.NewerFile = errors.AsType[*store.FormatError](err)
	if fault, ok := errors.AsType[*kv.Fault](err); ok {
		c.NewerFile = fault.Kind == kv.FaultNewer
	}
	c.Fault = err.Error()
}

// Newer reports whether a newer planb wrote the file or some of its records. Only that
// planb can tell whether they are whole, so an older one repairs no such file.
func (c Checked) Newer() bool { return c.NewerFile || c.Content.Newer }

// Problems says what is damaged in the file, a sentence each. A good store has none.
func (c Checked) Problems() []string {
	list := slices.Clone(c.File.Problems)
	if c.Fault != "" {
		list = append(list, c.Fault)
	}
	return list
}

// Gaps says what is missing or out of order in a file that is not damaged, a sentence
// each. The store works with gaps. A repair closes those that it can.
func (c Checked) Gaps() []string {
	list := slices.Clone(c.Content.Problems)
	if c.Content.More > 0 {
		list = append(list, fmt.Sprintf("and %d more", c.Content.More))
	}
	return list
}

// checkTime is far above what a check takes: some 3 s for 100,000 asks.
const checkTime = 10 * time.Minute

// maxStack ends an endless recursion in a damaged tree before it fills the memory.
const maxStack = 128 << 20

// Check checks every page and record of a file that no other process uses. Some
// damage ends the process that meets it, so Options.Checker runs Check in a process
// of its own.
func Check(ctx context.Context, path string) Checked {
	debug.SetMaxStack(maxStack)
	var found Checked
	var err error
	engine, err := keeperAt(path)
	if err != nil {
		found.fail(err)
		return found
	}
	if found.File, err = engine.Check(); err != nil {
		found.fail(errors.Join(err, engine.Close()))
		return found
	}
	found.Content, err = store.New(engine, store.Options{}).Audit(ctx)
	if err = errors.Join(err, engine.Close()); err != nil {
		found.fail(err)
	}
	return found
}

// runChecker has the checker check a file that no other process uses.
func (h *Home) runChecker(ctx context.Context, path string) (Checked, error) {
	if len(h.options.Checker) == 0 {
		return Check(ctx, path), nil
	}
	limited, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var out, crash bytes.Buffer
	argv := append(slices.Clone(h.options.Checker), path)
	cmd := exec.CommandContext(limited, argv[0], argv[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = h.options.Environ, &out, &crash
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return Checked{}, ctx.Err()
		}
		if limited.Err() != nil {
			return Checked{Fault: fmt.Sprintf("%s could not be checked within %v, so it is damaged or the disk is very slow", path, checkTime)}, nil
		}
		first, _, _ := strings.Cut(strings.TrimSpace(crash.String()), "\n")
		return Checked{Fault: fmt.Sprintf("%s is damaged: the check of it crashed: %s (%v)", path, first, err)}, nil
	}
	var found Checked
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		return Checked{}, fmt.Errorf("the check of %s gave no result: %w", path, err)
	}
	return found, nil
}

// scratchCopy is a copy of a store that only this process uses, with what the checker
// found in it.
type scratchCopy struct {
	*bolt.Scratch
	path string
	of   string // the path of the file it is a copy of
	Checked
}

// problems is Problems with the path of the original.
func (c scratchCopy) problems() []string {
	list := c.Problems()
	for i, problem := range list {
		list[i] = strings.ReplaceAll(problem, c.path, c.of)
	}
	return list
}

// copyToCheck has write copy the file at from to a new directory below dir, and has
// the copy checked. The caller closes the copy, which removes it.
func (h *Home) copyToCheck(ctx context.Context, dir, from string, write func(to string) error) (scratchCopy, error) {
	scratch, err := bolt.NewScratch(dir, size(from))
	if err != nil {
		return scratchCopy{}, err
	}
	c := scratchCopy{Scratch: scratch, path: filepath.Join(scratch.Dir, "planb.db"), of: from}
	if err = write(c.path); err == nil {
		c.Checked, err = h.runChecker(ctx, c.path)
	}
	if err != nil {
		return scratchCopy{}, errors.Join(err, c.Close())
	}
	return c, nil
}

// size returns a file's size; 0 on an error, which reading the file reports.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
