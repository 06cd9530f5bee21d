package askscreen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/questions"
	"planb/store"
	"planb/tui/form"
	"planb/tui/tuitest"
)

// What an ask keeps no more of is neither sent again and again nor lost: the form
// stays, and offers to copy it or to save it to a file.
func TestWhatIsNotKeptAnyMoreCanBeSavedToAFile(t *testing.T) {
	for name, end := range map[string]func(*driver, *Screen){
		"sent": func(d *driver, h *Screen) {
			h.phase = phaseOpen
			cmd := h.settle(form.SettleRequested{AskID: h.state.Ask.ID, Outcome: questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("V")}})
			go func() { d.program.Send(cmd()) }()
		},
		"overtaken": func(d *driver, h *Screen) {
			seen := h.lookAtStore()()
			go func() { d.program.Send(seen) }()
		},
	} {
		t.Run(name, func(t *testing.T) {
			tuitest.InBubble(t, func(t *testing.T) {
				t.Setenv("HOME", t.TempDir())
				w := newWorld(t)
				session := w.Session("Names", "")
				first, second := w.Ask(session, "One", window1), w.Ask(session, "Two", window1)
				d, h := w.host(Options{ID: first.ID, Place: window1})
				d.press("V")
				d.until("the form to hold what was typed", func() bool { return h.touched() })
				d.do(func() {
					w.FillLate(first)
					end(d, h)
				})
				if name == "overtaken" { // kept when the person closes the form, or not
					d.until("the form to say so", func() bool { return h.form.Ended() })
					d.ready(h)
					d.press("l")
				}
				d.until("the dialog", func() bool { return strings.Contains(seen(h), "╭─ ▲ Not sent") })
				d.shows("the dialog", "Not sent", "20 later replies are kept", "Copy the answers", "Save the answers to a file")
				for _, wrong := range []string{"Try again", "tried again", "Back to the form"} {
					if strings.Contains(d.text(), wrong) {
						t.Errorf("the dialog offers in vain: %q\n%s", wrong, d.text())
					}
				}
				d.ready(h)
				d.press("s")
				path := filepath.Join(os.Getenv("HOME"), "planb-answers-"+store.ShortID(first.ID)+".txt")
				d.until("the file", func() bool { return strings.Contains(seen(h), "Saved: ") })
				text, err := os.ReadFile(path)
				if err != nil || string(text) != `{"name":"V"}`+"\n" {
					t.Errorf("saved %q, %v", text, err)
				}
				if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("its mode is %v, %v", info.Mode(), err)
				}
				d.press("s")
				d.until("another file", func() bool { _, err := os.Stat(strings.TrimSuffix(path, ".txt") + "-2.txt"); return err == nil })
				d.press("l")
				d.settle(h, second.ID)
				if printed := strings.Join(d.end(), "\n"); !strings.Contains(printed, `"name":"V"`) {
					t.Errorf("printed %q", printed)
				}
				if late := w.Stored(first.ID).TooLate; len(late) != store.MaxTooLate {
					t.Errorf("the record has %d late replies", len(late))
				}
			})
		})
	}
}
