package handoff_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/store"
	"planb/store/bolt"
	"planb/store/handoff"
)

var errDead = errors.New("the process is dead")

// life is how many more writes a process does before it is killed, with or
// without what the last one writes; negative: it lives on.
type life struct {
	left    int
	written bool
}

// step reports whether the process still does the write, and lives to hear of
// it.
func (l *life) step() (does, hears bool) {
	if l.left < 0 {
		return true, true
	}
	if l.left == 0 {
		return false, false
	}
	l.left--
	return l.left > 0 || l.written, l.left > 0
}

func (l *life) write(do func() error) error {
	does, hears := l.step()
	if !does {
		return errDead
	}
	err := do()
	if !hears {
		return errDead
	}
	return err
}

// mortalHome and mortalAway are the engines of a process that gets killed.
type mortalHome struct {
	moodyHome
	life *life
}

func (h mortalHome) CommitAs(ctx context.Context, b store.Batch, rev int64, allowed func() error) error {
	return h.life.write(func() error { return h.moodyHome.CommitAs(ctx, b, rev, allowed) })
}

type mortalAway struct {
	*bolt.Engine
	life *life
}

func (a mortalAway) Make(ctx context.Context) error {
	return a.life.write(func() error { return a.Engine.Make(ctx) })
}

func (a mortalAway) Commit(ctx context.Context, b store.Batch) error {
	return a.CommitAs(ctx, b, 0, nil)
}

func (a mortalAway) CommitAs(ctx context.Context, b store.Batch, rev int64, allowed func() error) error {
	return a.life.write(func() error { return a.Engine.CommitAs(ctx, b, rev, allowed) })
}

func (a mortalAway) Remove(ctx context.Context, checks ...store.Check) error {
	return a.life.write(func() error { return a.Engine.Remove(ctx, checks...) })
}

// mortal is one process: its engine, its home's mood and its life.
type mortal struct {
	*handoff.Engine
	away *bolt.Engine
	bad  bool
	life life
}

// mortal starts a process that has that life.
func (p places) mortal(t testing.TB, l life, opts handoff.Options) *mortal {
	t.Helper()
	away, err := bolt.At(p.away, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &mortal{away: away, life: l}
	home := mortalHome{moodyHome{bolt.NewLazy(p.home, bolt.Options{}), func() bool { return m.bad }}, &m.life}
	m.Engine = handoff.New(home, mortalAway{away, &m.life}, opts)
	t.Cleanup(func() { _ = m.Close() }) // the dead are closed already
	return m
}

// Two processes write the same lists, each line once, while home is full now
// for the one, now for the other, and either is killed before or after any
// write. Then home holds each line that was acknowledged, once, and of the
// others none twice; in each list, and alike in lists written together.
func TestNoCommitIsLostOrAppliedTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		p := newPlaces(t)
		var processes []*mortal
		start := func() *mortal {
			return p.mortal(t, life{left: -1}, p.options(t))
		}
		processes = append(processes, start(), start())
		acked, lines := map[string]bool{}, 0
		rt.Repeat(map[string]func(*rapid.T){
			"write": func(rt *rapid.T) {
				i := rapid.IntRange(0, 1).Draw(rt, "process")
				list := store.Key(rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "list"))
				quiet := rapid.Bool().Draw(rt, "quiet")
				line := fmt.Sprint(lines)
				lines++
				err := addLine(t.Context(), processes[i], list, line, quiet)
				switch {
				case err == nil:
					acked[string(list)+line] = true
				case errors.Is(err, errDead):
					_ = processes[i].Close()
					processes[i] = start()
				default:
					rt.Fatalf("write: %v", err)
				}
			},
			"mood": func(rt *rapid.T) {
				processes[rapid.IntRange(0, 1).Draw(rt, "process")].bad = rapid.Bool().Draw(rt, "full")
			},
			"doom": func(rt *rapid.T) {
				processes[rapid.IntRange(0, 1).Draw(rt, "process")].life = life{
					left: rapid.IntRange(1, 6).Draw(rt, "writes left"), written: rapid.Bool().Draw(rt, "last one written"),
				}
			},
		})
		last := start()
		processes = append(processes, last)
		if err := last.MoveHome(t.Context()); err != nil {
			rt.Fatalf("coming home: %v", err)
		}
		found := map[string]int{}
		got, err := last.Engine.Get(t.Context(), "a", "b", "all")
		if err != nil {
			rt.Fatal(err)
		}
		for _, r := range got[:2] {
			for line := range strings.FieldsSeq(string(r.Value)) {
				found[string(r.Key)+line]++
			}
		}
		for line := range acked {
			if found[line] != 1 {
				rt.Fatalf("acknowledged line %s is there %d times: %q", line, found[line], got[2].Value)
			}
		}
		for line, n := range found {
			if n > 1 || strings.Count(" "+string(got[2].Value)+" ", " "+line+" ") != 1 {
				rt.Fatalf("line %s is there %d times in its list; all lines: %q", line, n, got[2].Value)
			}
		}
		if len(strings.Fields(string(got[2].Value))) != len(found) {
			rt.Fatalf("half a commit: %q", got[2].Value)
		}
		if there, err := last.away.Present(); there || err != nil {
			rt.Fatalf("the away store is there after everything came home: %v, %v", there, err)
		}
	})
}

// addLine adds the line to its list and to the list of all, in one commit, as
// the store commits: by compare-and-set, and reading back what is unclear.
func addLine(ctx context.Context, e store.Engine, list store.Key, line string, quiet bool) error {
	op := store.OpID{1}
	copy(op[1:], line)
	for {
		got, err := e.Get(ctx, list, "all")
		if err != nil {
			return err
		}
		err = e.Commit(ctx, store.Batch{
			Op: op, Quiet: quiet,
			Checks: []store.Check{{Key: list, Rev: got[0].Rev}, {Key: "all", Rev: got[1].Rev}},
			Puts: []store.Put{
				{Key: list, Value: fmt.Appendf(got[0].Value, " %s", line)},
				{Key: "all", Value: fmt.Appendf(got[1].Value, " %s%s", list, line)},
			},
		})
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
}
