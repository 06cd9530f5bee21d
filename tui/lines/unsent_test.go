package lines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"planb/store"
	"planb/tui/tuitest"
)

// What cannot be sent in plain lines is sent by itself as soon as it can be; until
// then the answers can be taken along, read out and changed.
func TestUnsentInPlainLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		home := t.TempDir()
		t.Setenv("HOME", home)
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		disk := tuitest.FullDisk(w.Store)
		lines := w.inLines(AskOptions{Store: disk, ID: ask.ID})
		lines.answers("What is it called?", "Vega")
		lines.answers("What you entered could not be saved yet: planb.db cannot be written, because its disk is full", "send")
		lines.answers("Not sent yet: planb.db cannot be written, because its disk is full. Everything you entered is still here. It is tried again every second.", "print")
		lines.answers(`Your answers: {"answers":{"name":"Vega"}}`, "back")
		lines.answers("Type send, or a question's number to change its answer:", "1")
		lines.answers("What is it called?", "Rigel")
		lines.answers("Type send, or a question's number to change its answer:", "send")
		lines.answers("Not sent yet", "file")
		tuitest.Poll(t, "the file", func() bool { return strings.Contains(lines.printed(), "Saved: "+home) })
		files, err := filepath.Glob(filepath.Join(home, "planb-answers-*.txt"))
		if err != nil || len(files) != 1 {
			t.Fatalf("the home directory has %q, %v", files, err)
		}
		if text, err := os.ReadFile(files[0]); err != nil || string(text) != `{"name":"Rigel"}`+"\n" {
			t.Errorf("the file holds %q, %v", text, err)
		}
		disk.SetFull(false)
		<-lines.result
		if name, _ := w.Stored(ask.ID).Outcome.Reply.Answers["name"].Text(); name != "Rigel" {
			t.Errorf("the answer is %q:\n%s", name, lines.printed())
		}
	})
}

// A person who leaves what cannot be saved is asked. They leave once it can be saved; if they
// leave all the same, it is printed.
func TestUnsavedInPlainLines(t *testing.T) {
	for name, anyway := range map[string]bool{"until it is saved": false, "all the same": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				ask := w.Ask(w.Session("Names", ""), "The new ship", "")
				disk := tuitest.FullDisk(w.Store)
				lines := w.inLines(AskOptions{Store: disk, ID: ask.ID})
				lines.answers("What is it called?", "Vega")
				lines.answers("Type send", "later")
				lines.answers("Not saved yet: planb.db cannot be written", "back")
				lines.answers("Type send", "later")
				if anyway {
					lines.answers("Not saved yet: planb.db cannot be written", "later")
				} else {
					tuitest.Poll(t, "the question", func() bool { return strings.Count(lines.printed(), "or later to leave:") == 2 })
					disk.SetFull(false)
				}
				<-lines.result
				entry, _, err := w.Store.Entry(t.Context(), ask.ID)
				kept := entry.Fields["name"].Text.Raw() == "Vega"
				if err != nil || kept == anyway || strings.Contains(lines.printed(), "What you entered could not be saved: ") != anyway {
					t.Errorf("kept: %v, %v\n%s", kept, err, lines.printed())
				}
			})
		})
	}
}

// What the person writes beside their answers is taken along with them where it cannot be sent.
func TestAnUnsentMessageInPlainLines(t *testing.T) {
	for name, ask := range map[string]func(w *world) store.Ask{
		"a form": func(w *world) store.Ask { return w.Ask(w.Session("Names", ""), "The new ship", "") },
		"a review": func(w *world) store.Ask {
			return w.ReviewAsk(w.Session("Nightly export", ""), tuitest.PlainPlan, "")
		},
	} {
		for word, typed := range map[string][]string{"reply": {"Whose is it?"}, "decline": {"Whose is it?", "yes"}} {
			t.Run(name+", "+word, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					w := newWorld(t)
					asked := ask(w)
					lines := w.inLines(AskOptions{Store: tuitest.FullDisk(w.Store), ID: asked.ID})
					if asked.Spec.Plan == nil {
						word = "/" + word
					}
					lines.answers("asks", strings.Join(append([]string{word}, typed...), "\n"))
					lines.answers("Not sent yet", "later")
					<-lines.result
					prints(t, lines.printed(), "message was: Whose is it?")
				})
			})
		}
	}
}
