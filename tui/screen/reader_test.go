package screen

import (
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// silent is a store that never rings.
type silent struct{}

func (silent) Watch(context.Context) (<-chan struct{}, error) { return nil, nil }

// However often a screen wants to read, one read comes after the rest of the read before.
// Messages of another reader begin none.
func TestAReaderReadsOnceAfterARest(t *testing.T) {
	var due []tea.Msg
	reads := 0
	after := func(_ time.Duration, msg tea.Msg) tea.Cmd {
		due = append(due, msg)
		return nil
	}
	read := func() tea.Cmd {
		reads++
		return nil
	}
	r, other := NewReader(silent{}, after, read), NewReader(silent{}, after, read)
	wants := func(want int, when string) {
		t.Helper()
		if reads != want {
			t.Errorf("%s it has read %d times, want %d", when, reads, want)
		}
	}
	r.Start()
	wants(1, "at the start")
	r.Heard(Rang{r.bell})
	r.Read()
	r.Heard(readStale{r})
	wants(1, "while it reads")
	r.Done(time.Second)
	r.Read()
	wants(1, "while it rests")
	r.Heard(readAgain{other})
	r.Heard(readStale{other})
	r.Heard(Rang{other.bell})
	wants(1, "after messages of another reader")
	r.Heard(readAgain{r})
	wants(2, "after the rest")
	r.Done(time.Second)
	r.Heard(readAgain{r})
	wants(2, "if nothing is wanted")
	r.Heard(readStale{r})
	wants(3, "once it has grown old")
	stale := 0
	for _, msg := range due {
		if _, ok := msg.(readStale); ok {
			stale++
		}
	}
	if stale != 3 { // at the start, and each time that what is shown had grown old
		t.Errorf("it waited %d times until what is shown is old, want 3", stale)
	}
}
