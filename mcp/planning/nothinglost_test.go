//go:build unix

package planning_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/store"
	"planb/store/kv/kvtest"
)

// interrupted is a store beside which something happens whenever a text of a plan
// file was just kept: after the file was read, and before it is written.
type interrupted struct {
	*store.Store
	then func()
}

func (s *interrupted) SaveFilePlan(ctx context.Context, in store.FilePlan) (store.Plan, bool, error) {
	plan, unchanged, err := s.Store.SaveFilePlan(ctx, in)
	if then := s.then; then != nil {
		s.then = nil
		then()
	}
	return plan, unchanged, err
}

// bench is a plan file that an agent and somebody else write in turn.
type bench struct {
	mcptest.Author
	t      testing.TB
	beside *interrupted
	texts  int
	last   string   // what the file holds
	must   []string // what has to be a version, in this order
}

func (b *bench) text() string { b.texts++; return fmt.Sprintf("text %d\n", b.texts) }

// theirs has somebody else write the file.
func (b *bench) theirs() {
	b.last = b.text()
	b.Put(b.t, b.File("a"), b.last)
}

func (b *bench) write(t *rapid.T) {
	foreign := b.last
	text := b.text()
	if rapid.IntRange(0, 3).Draw(t, "meanwhile") == 0 {
		b.beside.then = b.theirs
	}
	got := b.Tool("write_plan", map[string]any{"planName": "a", "content": text})
	if got.IsError {
		t.Fatal(got.Text())
	}
	b.seen(foreign)
	if b.last != foreign { // somebody else wrote it in between
		b.seen(text)
		b.seen(b.last)
	}
	b.last = text
	b.seen(text)
}

// edit changes what the file holds, whoever wrote it.
func (b *bench) edit(t *rapid.T) {
	if b.last == "" {
		return
	}
	foreign := b.last
	got := b.Tool("edit_plan", map[string]any{"planName": "a", "oldString": "text", "newString": "text text", "replaceAll": true})
	if got.IsError {
		t.Fatal(got.Text())
	}
	b.seen(foreign)
	b.last = strings.ReplaceAll(foreign, "text", "text text")
	b.seen(b.last)
}

func (b *bench) submit(t *rapid.T) {
	if b.last == "" {
		return
	}
	_, feedback := mcptest.Submitted(b.t, b.Tool("submit_plan", map[string]any{"planName": "a"}))
	if feedback != b.last {
		t.Fatalf("%q was submitted, and the file holds %q", feedback, b.last)
	}
	b.seen(b.last)
}

func (b *bench) somebodyElseWrites(*rapid.T) { b.theirs() }

func (b *bench) somebodyElseRemoves(t *rapid.T) {
	if err := os.Remove(b.File("a")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	b.last = ""
}

// seen notes what planb has read or written.
func (b *bench) seen(text string) {
	if text != "" && (len(b.must) == 0 || b.must[len(b.must)-1] != text) {
		b.must = append(b.must, text)
	}
}

// check holds that the file holds what was written last, and that all that ever
// was seen in it is kept, in its order.
func (b *bench) check(t *rapid.T) {
	text, err := os.ReadFile(b.File("a"))
	if err != nil && !os.IsNotExist(err) || string(text) != b.last {
		t.Fatalf("the file holds %q, %v; want %q", text, err, b.last)
	}
	if len(b.must) == 0 {
		return
	}
	if got := b.Versions(b.t); !slices.Equal(got, b.must) {
		t.Fatalf("the versions are %q, want %q", got, b.must)
	}
}

func TestNoTextOfAPlanFileIsLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		beside := &interrupted{Store: store.New(kvtest.NewMap(), store.Options{})}
		b := &bench{t: t, beside: beside}
		b.Author = mcptest.NewAuthor(t, func(cfg *mcp.Config) {
			cfg.Store, cfg.SubmitCommand = beside, []string{"cat"}
		})
		b.Author.Store = beside.Store
		// Each step is some syncs of the disk, so there are few.
		steps := []func(*rapid.T){b.write, b.write, b.edit, b.edit, b.submit, b.somebodyElseWrites, b.somebodyElseWrites, b.somebodyElseRemoves}
		for range rapid.IntRange(1, 8).Draw(r, "steps") {
			steps[rapid.IntRange(0, len(steps)-1).Draw(r, "step")](r)
		}
		b.check(r)
	})
}
