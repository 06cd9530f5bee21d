package home

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/store/kv"
)

func TestOpeningMakesAStoreAndExistingNever(t *testing.T) {
	h := at(filepath.Join(t.TempDir(), "data"), "check", nil)
	existing := h.Existing()
	_, _, err := existing.Sessions(t.Context(), "", 1)
	if fault, ok := errors.AsType[*kv.Fault](err); !ok || fault.Kind != kv.FaultMissing {
		t.Errorf("reading what is missing: %v", err)
	}
	if err := existing.Close(); err != nil {
		t.Error(err)
	}
	lazy := h.Lazy(func(err error) { t.Error(err) })
	if _, err := os.Stat(h.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was made before it was needed: %v", err)
	}
	if _, _, err := lazy.Sessions(t.Context(), "", 1); err != nil {
		t.Error(err)
	}
	if err := lazy.Close(); err != nil {
		t.Error(err)
	}
	holds(t, h.Path())
	h.add(t, "harbour")
	holds(t, h.Path(), "harbour")
}

func TestOpeningAFileThatIsNoStoreChangesNothing(t *testing.T) {
	h := newHome(t)
	write(t, h.Path(), []byte("no store"))
	st, err := h.Open(t.Context())
	if err == nil {
		_ = st.Close()
		t.Fatal("it was opened")
	}
	if left, err := os.ReadFile(h.Path()); string(left) != "no store" {
		t.Errorf("the file holds %q, %v", left, err)
	}
}

func TestCompactingKeepsEverythingAndShrinksTheFile(t *testing.T) {
	h := newHome(t)
	h.add(t, strings.Repeat("x", 900))
	for range 5 {
		h.add(t, "harbour")
	}
	before, after, err := h.Compact(t.Context())
	if err != nil || after <= 0 || after > before {
		t.Errorf("%d bytes became %d, %v", before, after, err)
	}
	holds(t, h.Path(), "harbour", "harbour", "harbour", "harbour", "harbour", strings.Repeat("x", 900))
	missing := at(filepath.Join(t.TempDir(), "data"), "check", nil)
	if _, _, err := missing.Compact(t.Context()); err == nil {
		t.Error("a missing store was compacted")
	}
}
