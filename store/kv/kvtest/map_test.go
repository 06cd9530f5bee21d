package kvtest_test

import (
	"errors"
	"syscall"
	"testing"

	"planb/store/kv"
	"planb/store/kv/kvtest"
)

func TestMap(t *testing.T) {
	kvtest.TestEngine(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Engine {
			m := kvtest.NewMap()
			t.Cleanup(func() {
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			})
			return m
		},
		Damage: func(_ *testing.T, e kv.Engine, key kv.Key) { e.(*kvtest.Map).Damage(key) },
		Fail:   func(_ *testing.T, e kv.Engine, applied bool) { e.(*kvtest.Map).UnclearNextCommit(applied) },
		Cut:    func(e kv.Engine) func() { return e.(*kvtest.Map).Cut() },
	})
}

func TestMapFails(t *testing.T) {
	m := kvtest.NewMap()
	write := func(key kv.Key) error {
		return m.Commit(t.Context(), kv.Batch{Puts: []kv.Put{{Key: key}}})
	}
	exists := func(key kv.Key) bool {
		got, err := m.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return got[0].Exists()
	}
	broken := errors.New("broken")
	m.FailNextCommit(broken)
	m.UnclearNextCommit(true)
	m.UnclearNextCommit(false)
	m.FullNextCommit()

	if err := write("a"); !errors.Is(err, broken) || exists("a") {
		t.Errorf("told to fail: %v, exists %v", err, exists("a"))
	}
	if err := write("b"); !errors.Is(err, kv.ErrUnclear) || !exists("b") {
		t.Errorf("unclear and applied: %v, exists %v", err, exists("b"))
	}
	if err := write("c"); !errors.Is(err, kv.ErrUnclear) || exists("c") {
		t.Errorf("unclear and not applied: %v, exists %v", err, exists("c"))
	}
	err := write("d")
	fault, ok := errors.AsType[*kv.Fault](err)
	if !ok || !fault.Unwritable() || !errors.Is(err, syscall.ENOSPC) || exists("d") {
		t.Errorf("full: %v, exists %v", err, exists("d"))
	}
	if err := write("e"); err != nil || !exists("e") {
		t.Errorf("after the failures: %v, exists %v", err, exists("e"))
	}
}
