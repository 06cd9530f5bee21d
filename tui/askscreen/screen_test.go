package askscreen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/themes"
	hosts "planb/tui/ask"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

func TestAskIsAnsweredByKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.Ask(session, "The new ship", "")
	d, _ := w.host(Options{ID: ask.ID})
	if w.Unshown(ask) {
		t.Error("no claim says that the form is open")
	}
	d.press("V", "e", "g", "a", "ctrl+s")
	parting := d.end()
	got := w.Stored(ask.ID).Outcome
	if name, _ := got.Reply.Answers["name"].Text(); got.State != questions.Answered || name != "Vega" || got.By != "you@desk" {
		t.Errorf("the store holds %+v", got)
	}
	if want := "1 answer kept for Claude Code, which is not waiting · ships"; len(parting) != 1 || parting[0] != want {
		t.Errorf("printed %q, want %q", parting, want)
	}
	if !w.Unshown(ask) {
		t.Error("the claim was not given back")
	}
	if _, left, err := w.Store.Entry(t.Context(), ask.ID); left || err != nil {
		t.Errorf("an entry is left of an answered ask: %v, %v", left, err)
	}
}

func TestOutcomesAreStored(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		outcome questions.Outcome
		receipt string
	}{
		{questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega")}, "1 answer sent to Claude Code · ships"},
		{questions.Outcome{State: questions.Discuss, Message: safe.New("Why?")}, "Reply sent to Claude Code · ships"},
		{questions.Outcome{State: questions.Declined, Message: safe.New("no")}, "Declined; Claude Code is told · ships"},
	} {
		t.Run(string(c.outcome.State), func(t *testing.T) {
			w := newWorld(t)
			ask := w.Ask(w.Session("Names", "/home/you/ships"), "The new ship", "")
			w.Hold(store.WaitClaim(ask.ID, "server"))
			d, _ := w.host(Options{ID: ask.ID})
			d.program.Send(form.SettleRequested{AskID: ask.ID, Outcome: c.outcome})
			parting := d.end()
			got := w.Stored(ask.ID).Outcome
			if got.State != c.outcome.State || got.Message != c.outcome.Message || got.By != "you@desk" || !got.At.Equal(tuitest.Moment) {
				t.Errorf("the store holds %+v", got)
			}
			if len(parting) != 1 || parting[0] != c.receipt {
				t.Errorf("printed %q, want %q", parting, c.receipt)
			}
		})
	}
}

func TestLaterKeepsTheEntry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	d, _ := w.host(Options{ID: ask.ID})
	d.press("V", "e", "ctrl+c", "ctrl+c")
	parting := d.end()
	if entry := must2(w.Store.Entry(t.Context(), ask.ID)); entry.Fields["name"].Text.Raw() != "Ve" {
		t.Errorf("the entry is %+v", entry)
	}
	if w.Stored(ask.ID).Outcome.State != questions.Pending {
		t.Error("leaving settled the ask")
	}
	if want := "planb tui ask " + store.ShortID(ask.ID); len(parting) != 1 || !strings.Contains(parting[0], want) {
		t.Errorf("printed %q, which does not say %q", parting, want)
	}
	if !w.Unshown(ask) {
		t.Error("the claim was not given back")
	}

	again := w.screen(Options{ID: ask.ID})
	d = drive(t, again, 80, 24)
	d.until("the form to open with the entry", func() bool {
		return again.form != nil && again.form.Entry().Fields["name"].Text.Raw() == "Ve"
	})
}

func TestTypingIsSavedWhileItGoesOn(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		d, _ := w.host(Options{ID: ask.ID})
		d.press("V", "e", "g")
		tuitest.Poll(t, "the entry to be stored", func() bool {
			entry, ok, err := w.Store.Entry(t.Context(), ask.ID)
			return err == nil && ok && entry.Fields["name"].Text.Raw() == "Veg"
		})
	})
}

// TestTypingIsSavedBeforeTheEditorOpens holds that nothing waits for its turn to be
// saved while the editor has the terminal: that may be for hours, and end by force.
func TestTypingIsSavedBeforeTheEditorOpens(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the editor of this test is a shell command")
	}
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	dir := t.TempDir()
	opened, closes := filepath.Join(dir, "opened"), filepath.Join(dir, "closes")
	editor := "EDITOR=touch " + opened + "; until test -e " + closes + "; do sleep 0.01; done;:"
	d, _ := w.host(Options{ID: ask.ID, Environ: []string{"PATH=" + os.Getenv("PATH"), editor}})
	defer func() {
		// Bubble Tea must not be ended while it lends its terminal, or takes it back.
		tuitest.Poll(t, "the editor to open", func() bool {
			_, err := os.Stat(opened)
			return err == nil
		})
		if err := os.WriteFile(closes, nil, 0o600); err != nil {
			t.Error(err)
		}
		d.until("the editor to close", func() bool { return true })
	}()
	d.press("V", "e", "g", "ctrl+g")
	tuitest.Poll(t, "the entry to be stored", func() bool {
		entry, ok, err := w.Store.Entry(t.Context(), ask.ID)
		return err == nil && ok && entry.Fields["name"].Text.Raw() == "Veg"
	})
}

// TestEndFromOutsideKeepsWhatTheEditorLeft holds that a program that is ended while
// the editor runs, as by closing its pane, still takes over what that saves.
func TestEndFromOutsideKeepsWhatTheEditorLeft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor of this test is a shell command")
	}
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	dir := t.TempDir()
	opened, closes := filepath.Join(dir, "opened"), filepath.Join(dir, "closes")
	t.Setenv("TMPDIR", dir)
	editor := "EDITOR=touch " + opened + "; until test -e " + closes + "; do sleep 0.01; done; sed -i s/Veg/Vega/"
	d, _ := w.host(Options{ID: ask.ID, Environ: []string{"PATH=" + os.Getenv("PATH"), editor}})
	d.press("V", "e", "g", "ctrl+g")
	tuitest.Poll(t, "the editor to open", func() bool {
		_, err := os.Stat(opened)
		return err == nil
	})
	sending := make(chan struct{})
	go func() {
		close(sending)
		d.program.Send(tea.QuitMsg{})
	}()
	<-sending
	if err := os.WriteFile(closes, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d.end()
	if entry := must2(w.Store.Entry(t.Context(), ask.ID)); entry.Fields["name"].Text.Raw() != "Vega" {
		t.Errorf("the entry is %+v", entry)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "planb-*")); len(left) > 0 {
		t.Errorf("files left: %v", left)
	}
}

func TestEndFromOutsideKeepsTheEntry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	d, _ := w.host(Options{ID: ask.ID})
	d.press("V")
	d.program.Send(screen.Quit{})
	d.end()
	if entry := must2(w.Store.Entry(t.Context(), ask.ID)); entry.Fields["name"].Text.Raw() != "V" {
		t.Errorf("the entry is %+v", entry)
	}
	if !w.Unshown(ask) {
		t.Error("the claim was not given back")
	}
}

func TestWithdrawnElsewhere(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		d, h := w.host(Options{ID: ask.ID})
		d.press("V")
		tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Withdrawn}))
		d.until("the form to say so", func() bool { return h.form.Ended() })
		if text := d.text(); !strings.Contains(text, "took this question back") {
			t.Errorf("the form says\n%s", text)
		}
		d.ready(h)
		d.press("esc")
		d.end()
		if got := w.Stored(ask.ID).Outcome.State; got != questions.Withdrawn {
			t.Errorf("the ask is %s", got)
		}
	})
}

func TestAnsweredElsewhereFirst(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		d, h := w.host(Options{ID: ask.ID})
		// Both at once: the form's holder has not heard of the other answer yet.
		d.do(func() {
			tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Altair"), By: "you@phone"}))
			h.phase = phaseOpen
			cmd := h.settle(form.SettleRequested{AskID: ask.ID, Outcome: questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega")}})
			go func() { d.program.Send(cmd()) }()
		})
		d.until("the form to say who was first", func() bool { return h.form.Ended() && h.phase == phaseOpen })
		if text := d.text(); !strings.Contains(text, "you@phone") {
			t.Errorf("the form says\n%s", text)
		}
		stored := w.Stored(ask.ID)
		if name, _ := stored.Outcome.Reply.Answers["name"].Text(); name != "Altair" || len(stored.TooLate) != 1 {
			t.Errorf("the store holds %+v", stored)
		}
		d.ready(h)
		d.press("esc")
		d.end()
	})
}

func TestStoreFailsThenRecovers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	d, h := w.host(Options{ID: ask.ID})
	w.Engine.FullNextCommit()
	d.program.Send(form.SettleRequested{AskID: ask.ID, Outcome: questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega")}})
	d.until("the failure to come back", func() bool { return h.phase == phaseOpen })
	if w.Stored(ask.ID).Outcome.State != questions.Pending {
		t.Fatal("the failed commit settled the ask")
	}
	d.program.Send(form.SettleRequested{AskID: ask.ID, Outcome: questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega")}})
	d.end()
	if w.Stored(ask.ID).Outcome.State != questions.Answered {
		t.Error("trying again did not settle the ask")
	}
}

func TestLeavingWithoutAStore(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		h := New(&brokenEntries{Store: w.Store}, Options{ID: ask.ID, Now: w.Clock})
		d := drive(t, h, 80, 24)
		d.until("the form to open", func() bool { return h.phase == phaseOpen })
		d.press("V", "e")
		d.until("the entry to be known", h.unsaved)
		d.program.Send(form.LaterRequested{AskID: ask.ID})
		d.until("the form to come back", func() bool { return h.form.LeavesOnceSaved() != nil && h.phase == phaseOpen })
		d.shows("why it stays", "Not saved", "the disk is on fire", "If you leave now, what was not saved is kept nowhere.", "Copy the answers", "Save the answers to a file")
		d.ready(h)
		d.press("p")
		d.Wait()
		parting, err := d.w.closeAll(t.Context())
		if !errors.Is(err, errBroken) {
			t.Errorf("the pane closes at once, with %v", err)
		}
		if printed := strings.Join(parting, "\n"); !strings.Contains(printed, `"name":"Ve"`) || !strings.Contains(printed, "the disk is on fire") {
			t.Errorf("what was typed is lost: printed %q", printed)
		}
	})
}

// TestLeavingWaitsForTheStore holds that who wants to leave a form that cannot be
// saved is gone as soon as it can.
func TestLeavingWaitsForTheStore(t *testing.T) {
	t.Parallel()
	typesOnAFullDisk(t, func(t *testing.T, d *driver, h *Screen, disk *tuitest.Disk) {
		d.program.Send(form.LaterRequested{AskID: h.options.ID})
		d.until("the form to come back", func() bool { return h.form.LeavesOnceSaved() != nil && h.phase == phaseOpen })
		d.shows("what is tried", "Not saved yet", "it is tried again every second", "Try again")
		disk.SetFull(false)
		if printed := strings.Join(d.end(), "\n"); !strings.Contains(printed, "Kept: The new ship") || strings.Contains(printed, "could not be saved") {
			t.Errorf("printed %q", printed)
		}
	})
}

// TestTypingIsSavedOnceThereIsRoom holds that an entry that could not be saved is saved
// without another key.
func TestTypingIsSavedOnceThereIsRoom(t *testing.T) {
	t.Parallel()
	typesOnAFullDisk(t, func(t *testing.T, d *driver, h *Screen, disk *tuitest.Disk) {
		disk.SetFull(false)
		d.until("the entry to be saved", func() bool { return !h.saving && !h.unsaved() })
		if strings.Contains(seen(h), "Not saved") {
			t.Errorf("the form still shows\n%s", seen(h))
		}
	})
}

// typesOnAFullDisk types into a form on a full disk until the form says that it is not
// saved. Once then has made room, the store must hold what was typed.
func typesOnAFullDisk(t *testing.T, then func(*testing.T, *driver, *Screen, *tuitest.Disk)) {
	t.Helper()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		disk := tuitest.FullDisk(w.Store)
		h := New(disk, Options{ID: ask.ID, Now: w.Clock})
		d := drive(t, h, 80, 24)
		d.until("the form to open", func() bool { return h.phase == phaseOpen })
		d.press("V", "e")
		d.until("the entry to be known", h.unsaved)
		d.shows("what is not saved", "Not saved yet, keep this form open: planb.db")
		then(t, d, h, disk)
		if entry, _, err := w.Store.Entry(t.Context(), ask.ID); err != nil || entry.Fields["name"].Text.Raw() != "Ve" {
			t.Errorf("the store holds %+v, %v", entry, err)
		}
	})
}

// TestSubmittingIsTriedAgain holds that a form whose answers could not be stored
// sends them by itself, once for each failure.
func TestSubmittingIsTriedAgain(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		d, h := w.host(Options{ID: ask.ID})
		d.press("V", "e", "g", "a")
		d.until("the entry to be saved", func() bool { return !h.saving && !h.unsaved() })
		w.Engine.FullNextCommit()
		d.press("ctrl+s")
		d.until("the failure to be said", func() bool { return strings.Contains(seen(h), "╭─ ▲ Not sent") })
		d.do(func() {
			if cmd := h.resettle(settleDue{fromHost{h.host}, ask.ID, h.tries - 1}); cmd != nil {
				t.Error("the failure of an earlier try has it tried again")
			}
		})
		w.Engine.FullNextCommit()
		d.program.Send(settleDue{fromHost{h.host}, ask.ID, 1})
		d.until("the second failure", func() bool {
			return h.tries == 2 && h.phase == phaseOpen && strings.Contains(seen(h), "╭─ ▲ Not sent")
		})
		// The next comes by itself.
		if parting := d.end(); len(parting) != 1 || !strings.HasPrefix(parting[0], "1 answer kept") {
			t.Errorf("printed %q", parting)
		}
		if got := w.Stored(ask.ID).Outcome; got.State != questions.Answered {
			t.Errorf("the store holds %+v", got)
		}
	})
}

// brokenEntries is a store that cannot keep entries.
type brokenEntries struct{ Store }

func (*brokenEntries) MergeEntry(context.Context, string, questions.Entry, func(questions.Entry) questions.Entry) error {
	return errBroken
}

func TestFinalAskIsShownReadOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Altair")}))
	h := w.screen(Options{ID: ask.ID})
	d := drive(t, h, 80, 24)
	d.until("the answer to be shown", func() bool { return h.form != nil && strings.Contains(h.form.View().Content, "Altair") })
	if !w.Unshown(ask) {
		t.Error("reading claims the ask")
	}
	d.press("x", "ctrl+s")
	d.do(func() {
		if h.phase != phaseOpen || !h.form.Input().ReadOnly {
			t.Error("a final ask can be settled again")
		}
	})
}

func TestUnknownAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.screen(Options{ID: "018f0000-0000-7000-8000-000000000000"})
	d := drive(t, h, 80, 24)
	d.end()
	if unknown := new(store.UnknownError); !errors.As(h.failure, &unknown) {
		t.Errorf("it ended with %v", h.failure)
	}
}

func TestDiscussCarriesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	first := w.Ask(session, "The new ship", "")
	tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Why?"), Reply: tuitest.TextReply("Vega")}))
	if err := w.Store.Deliver(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	second := w.Ask(session, "The new ship", "")
	_, h := w.host(Options{ID: second.ID})
	if got := h.form.Input(); !got.Carried || got.Entry.Fields["name"].Text.Raw() != "Vega" {
		t.Errorf("the next form starts with %+v", got.Entry)
	}
}

func TestEarlierAnswerIsOffered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	first := w.Ask(session, "The new ship", "")
	tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega")}))
	if err := w.Store.Deliver(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	second := w.Ask(session, "The new ship", "")
	_, h := w.host(Options{ID: second.ID})
	if got := h.form.Input(); got.EarlierForm == nil || got.EarlierForm.ID != first.ID || !got.Entry.Fields["name"].Text.IsZero() {
		t.Errorf("the earlier answer is %+v, and the entry %+v", got.EarlierForm, got.Entry)
	}
}

func TestAgentStopsWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	call := w.Hold(store.WaitClaim(ask.ID, "server"))
	d, h := w.host(Options{ID: ask.ID})
	d.do(func() {
		if !h.form.Input().AgentWaits {
			t.Error("the form does not know that the agent waits")
		}
	})
	if err := call.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.until("the form to know that the agent stopped waiting", func() bool { return strings.Contains(seen(h), "The agent stopped waiting") })
}

// TestFormsKeepTheirClocksApart opens two forms over one another: were the
// clock of each to set off the other's too, they would double every second.
func TestFormsKeepTheirClocksApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	one := New(w.Store, Options{ID: w.Ask(session, "One", "").ID, Now: w.Clock})
	two := New(w.Store, Options{ID: w.Ask(session, "Two", "").ID, Now: w.Clock})
	win := tuitest.NewWindow(t, one, themes.None())
	win.Update(screen.Push{Screen: two})
	if cmd := one.Update(glanceDue{fromHost{two.host}}); cmd != nil {
		t.Error("a form's clock set off another's")
	}
	if cmd := two.Update(glanceDue{fromHost{two.host}}); cmd == nil {
		t.Error("a form's clock stopped")
	}
	two.Update(askOpened{fromHost: fromHost{one.host}, Opened: hosts.Opened{None: true}})
	if two.phase != phaseOpening {
		t.Error("a form took what another had asked for")
	}
}

func TestAnAskIsAnsweredBesideDamagedRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.Ask(session, "The new ship", "")
	for _, key := range []string{"s/" + session.ID, "d/" + ask.ID} {
		if err := w.Engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: kv.Key(key), Value: []byte("{")}}}); err != nil {
			t.Fatal(err)
		}
	}
	d, _ := w.host(Options{ID: ask.ID})
	d.press("V", "e", "g", "a", "ctrl+s")
	d.end()
	got := w.Stored(ask.ID).Outcome
	if name, _ := got.Reply.Answers["name"].Text(); got.State != questions.Answered || name != "Vega" {
		t.Errorf("the store holds %+v", got)
	}
}

// TestTheWayBackIsTheCommandThatWasCalled holds that who runs planb by another
// name is not told of a command they don't have.
func TestTheWayBackIsTheCommandThatWasCalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	d, _ := w.host(Options{ID: ask.ID, Command: "go run ."})
	d.press("ctrl+c", "ctrl+c")
	want := "go run . tui ask " + store.ShortID(ask.ID)
	if parting := strings.Join(d.end(), "\n"); !strings.HasSuffix(parting, want) {
		t.Errorf("printed %q, want the end %q", parting, want)
	}
}

// What was searched for is what the form opens at.
func TestAFormOpensAtTheQuestionThatWasFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Nightly export", "")
	ask := w.Rich("")
	last := ask.Spec.Questions[len(ask.Spec.Questions)-1].ID
	_, h := w.host(Options{ID: ask.ID, Question: last})
	if focus := h.form.Entry().Focus; focus != last {
		t.Errorf("it opens at %q, want %q", focus, last)
	}
	reviewed := w.ReviewAsk(session, tuitest.PlainPlan, "")
	w.Reviewed(reviewed, tuitest.PlainPlan, review.RequestChanges, tuitest.Comment(t, tuitest.PlainPlan, 3, 3, review.Remark, "Whose CSV?"), tuitest.Comment(t, tuitest.PlainPlan, 33, 33, review.Remark, "Ada owns the zebra key."))
	d := drive(t, w.screen(Options{ID: reviewed.ID, ReadOnly: true, Found: "zebra"}), 80, 24)
	d.until("the comment", func() bool {
		h := d.w.Top().(*Screen)
		return h.phase == phaseOpen && h.review.Entry().Cursor.Line == 33 && h.review.Entry().Cursor.Comment != ""
	})
}
