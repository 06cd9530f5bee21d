package mcptest

import (
	"fmt"
	"strings"
	"testing"

	"planb/store"
)

// Words collect what a model is told, for a golden file. Everything that differs from run
// to run is replaced by a name.
type Words struct{ text strings.Builder }

// Add adds a result on the ask.
func (w *Words) Add(what string, ask store.Ask, told Answer) {
	named := strings.NewReplacer(ask.ID, "<askId>", store.ShortID(ask.ID), "<short>", ask.Session, "<sessionId>")
	fmt.Fprintf(&w.text, "== %s\n", what)
	for i, text := range told.Texts() {
		if i > 0 {
			w.text.WriteString("--\n")
		}
		w.text.WriteString(named.Replace(text) + "\n")
	}
}

// Snapshot compares them with a file under testdata/mcp/words.
func (w *Words) Snapshot(t *testing.T, name string) {
	t.Helper()
	Snapshot(t, "words/"+name, []byte(w.text.String()))
}
