package screen

import (
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// The preview stays at the row before until the row under the cursor is read, and shows none that
// the cursor has left meanwhile.
func TestThePreviewChangesOnce(t *testing.T) {
	at := "a"
	p := NewPeeks(func(_ time.Duration, msg tea.Msg) tea.Cmd { return Send(msg) }, func() (string, func(context.Context) string) {
		return at, func(id string) func(context.Context) string {
			return func(context.Context) string { return "what belongs to " + id }
		}(at)
	})
	rest := func() tea.Cmd { return p.Heard(p.Follow()().(PeekDue)) }
	p.Heard(rest()().(PeekDue))
	at = "b"
	readingB := rest()
	at = "c"
	rest() // b is still being read
	readingC := p.Heard(readingB().(PeekDue))
	if got := p.Shown(); got != "a" {
		t.Errorf("while c is read, the preview shows %q", got)
	}
	p.Heard(readingC().(PeekDue))
	if found, _ := p.Of(p.Shown()); found != "what belongs to c" {
		t.Errorf("then it shows %q", found)
	}
}
