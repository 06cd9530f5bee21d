package panes_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"planb/e2e/rig"
)

// askedBefore has two questions that everything.json has, too: one in the same
// words, one with the same id and one word in common.
const askedBefore = `{"title": "Before all this", "questions": [
	{"id": "working_title", "kind": "text", "label": "What shall the service be called"},
	{"id": "stars", "kind": "scale", "label": "Does it matter to many?", "min": 1, "max": 5}]}`

// One person uses everything that a form can show and do, in one form: they
// read and pan diagrams, tables and code, enlarge the panel, compare options on
// the whole screen, filter them and choose all, undo, paste, write in an
// editor, reuse an earlier answer, and go back from the page with all answers.
// The client receives exactly what they entered.
func TestAFormWithEverything(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 240, 36)
	home := tm.FirstPane()
	saw := scriptedEditor(t, tm)
	a := rig.StartAgent(t, data, tm.Environment(home))

	call := a.Start("ask_user", rig.Arguments(t, a.Session("Before"), askedBefore))
	form := tm.NewPane(home)
	tm.Ready(form)
	tm.Text(form, "Heron")
	tm.Shows(form, "Heron")
	tm.Keys(form, "Tab")
	tm.Text(form, "3")
	tm.Shows(form, "2/2")
	tm.Keys(form, "C-s")
	call.Reply()
	tm.Gone(form)

	session := a.Session("Parcels")
	call = a.Start("ask_user", rig.Arguments(t, session, rig.ReadSpec(t, "everything.json")))
	form = tm.NewPane(home)
	tm.Ready(form)
	readEverything(t, tm, form)
	chooseEverything(tm, form)
	log := writeEverything(tm, form)
	// Keys right after a paste do not count.
	rig.Until(t, "what was pasted is kept", func() bool { return strings.Contains(rig.EntryOf(t, data, session), "a depot's log") })
	lookOverEverything(tm, form)

	got := call.Reply()
	want := `{"shape":"ring","cities":["Bergen","Berlin"],"carriers":["rail","bike","Drones"],"days":12.5,"stars":5,"name":"Heron",` +
		`"story":"Rain often got in\nand the lift","log":"` + strings.ReplaceAll(log[:2000], "\n", `\n`) + `…"}`
	if got.Texts[0] != want {
		t.Errorf("the agent received %d bytes, want %d:\n%.600s", len(got.Texts[0]), len(want), got.Texts[0])
	}
	besides := strings.Join(got.Texts[1:], "\n")
	_, path, _ := strings.Cut(besides, `"log" is longer than clients pass on: 1,048,576 characters. All of it: `)
	path, _, _ = strings.Cut(path, ", or get_answer ")
	if copied, err := os.ReadFile(path); err != nil || string(copied) != log {
		t.Errorf("%q holds %d bytes, want %d: %v", path, len(copied), len(log), err)
	}
	for _, line := range []string{
		"The user left open: last.", `Written by the user under "Other…": carriers.`,
		"shape: Not across the sea.", "Begin with the north.",
	} {
		if !strings.Contains(besides, line) {
			t.Errorf("the agent was not told %q:\n%s", line, besides)
		}
	}
	if state, err := json.Marshal(got.Data); err != nil || !strings.Contains(string(state), `"answered"`) {
		t.Errorf("_meta planb/result is %s (%v)", state, err)
	}
	if text, err := os.ReadFile(saw); err != nil || !strings.Contains(string(text), "What has gone wrong before?") || !strings.Contains(string(text), "Rain often got in") {
		t.Errorf("the editor was given %q, %v", text, err)
	}
	tm.Gone(form)
}

// scriptedEditor sets $VISUAL in every new pane to a program that adds a line.
// It returns the file where the program saves what it was given.
func scriptedEditor(t *testing.T, tm *rig.Tmux) (saw string) {
	t.Helper()
	program := filepath.Join(tm.Home, "editor")
	saw = program + ".saw"
	if err := rig.WriteProgram(program, "#!/bin/sh\ncp \"$1\" '"+saw+"' && printf 'and the lift\\n' >> \"$1\"\n"); err != nil {
		t.Fatal(err)
	}
	tm.Run("set-environment", "-g", "VISUAL", program)
	return saw
}

var columnsShown = regexp.MustCompile(`←→ 1–(\d+) of`)

// readEverything reads the introduction and the options' illustrations.
func readEverything(t *testing.T, tm *rig.Tmux, form string) {
	t.Helper()
	tm.Shows(form, "┌─ Shop ─", "┌─ Payments ─", "│ Cart │", "Paid?")
	tm.Keys(form, "NPage")
	tm.Shows(form, "Buyer", "1. order", "3. sorry")
	tm.Keys(form, "C-NPage")
	tm.Shows(form, "One after the other  proposed", "│ Aarhus │", " by road ", "/ filters 40 options")
	before := columnsShown.FindString(tm.Screen(form))
	tm.Text(form, "<")
	rig.Until(t, "the panel is larger", func() bool {
		now := columnsShown.FindString(tm.Screen(form))
		return before != "" && now != "" && now != before
	})
	tm.Keys(form, "S-Right", "S-Right")
	tm.Shows(form, "‹")
	tm.Keys(form, "Down")
	tm.Shows(form, "Parcels by month")
	tm.Keys(form, "Down")
	tm.Shows(form, "The routes of today", "of 42")
	tm.Text(form, "z")
	tm.Shows(form, "As the code has it · ", "3 of 4")
	tm.Keys(form, "NPage")
	tm.Shows(form, "// 40", "of 42")
	tm.Keys(form, "Tab")
	tm.Shows(form, "By the state of an order · ", "│ Paid │")
	tm.Keys(form, "BTab", "BTab", "BTab")
	tm.Shows(form, "One after the other · ", "←→ 1–", "│ Bergen │") // in its whole width
	tm.Keys(form, "End")
	tm.Shows(form, "│ Copenhagen │", " by rail ")
	tm.Keys(form, "Enter")
	tm.Shows(form, "◉ 1  One after the other", "1/9")
}

// chooseEverything answers the questions with options.
func chooseEverything(tm *rig.Tmux, form string) {
	tm.Text(form, "n")
	tm.Text(form, "Not across the sea.")
	tm.Shows(form, "Not across the sea.")
	tm.Keys(form, "C-s", "Tab")
	tm.Text(form, "*") // all, then none, then all that the filter shows
	tm.Shows(form, "■ 1  Amsterdam")
	tm.Text(form, "*")
	tm.Shows(form, "□ 1  Amsterdam", "1/9")
	tm.Text(form, "/ber")
	tm.Shows(form, "2 of 40")
	tm.Keys(form, "Enter")
	tm.Text(form, "*")
	tm.Shows(form, "2/9")
	tm.Keys(form, "Tab")
	tm.Text(form, "d4")
	tm.Text(form, "Drones")
	tm.Shows(form, "■ 1  Rail", "□ 2  Road", "■ 3  Bicycles", "Drones", "3/9")
	tm.Keys(form, "C-NPage")
	tm.Shows(form, "not set", "────────◌", "proposed 7", "0      5     10")
	tm.Text(form, "12.5")
	tm.Shows(form, "12.5")
	tm.Keys(form, "Enter")
	tm.Shows(form, "4/9")
	tm.Shows(form, "answered before: 3 · ", "press a to take it over")
	tm.Text(form, "a")
	tm.Shows(form, "as before: 3 · ", "5/9")
	tm.Keys(form, "Tab")
}

// writeEverything answers the questions with texts, and returns the pasted
// text.
func writeEverything(tm *rig.Tmux, form string) (log string) {
	tm.Shows(form, "before: Heron")
	tm.Keys(form, "C-r")
	tm.Shows(form, "› Heron", "6/9")
	tm.Keys(form, "Tab")
	tm.Text(form, "Rain got in")
	tm.Shows(form, "Rain got in", "7/9")
	tm.Keys(form, "C-w")
	rig.Until(tm.T, "the word is away", func() bool { return !strings.Contains(tm.Screen(form), "got in") })
	tm.Keys(form, "C-z")
	tm.Shows(form, "Rain got in")
	tm.Keys(form, "C-Left", "C-Left")
	tm.Text(form, "often ")
	tm.Shows(form, "Rain often got in")
	tm.Keys(form, "C-g")
	tm.Shows(form, "and the lift")
	tm.Keys(form, "Tab")
	log = strings.Repeat("a depot's log has lines of sixty-four bytes, each like the last\n", 1<<20/64)
	file := filepath.Join(tm.Home, "log")
	if err := os.WriteFile(file, []byte(log), 0o600); err != nil {
		tm.T.Fatal(err)
	}
	tm.Run("load-buffer", file)
	tm.Run("paste-buffer", "-p", "-t", form)
	tm.Shows(form, "8/9")
	return log
}

// leavePasted goes on from a text into which something was pasted. Keys right after a paste
// are dropped, so Tab may be needed again; a second one too early would go on twice.
func leavePasted(tm *rig.Tmux, form string) {
	rig.Until(tm.T, "the pasted text is left", func() bool {
		tm.Keys(form, "Tab")
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if !strings.Contains(tm.Screen(form), "enter new line") {
				return true
			}
		}
		return false
	})
}

// lookOverEverything adds a note on the whole form, looks at all answers, goes
// back to one of them, changes it and sends.
func lookOverEverything(tm *rig.Tmux, form string) {
	leavePasted(tm, form)
	tm.Text(form, "N")
	tm.Shows(form, "Keep")
	tm.Text(form, "Begin with the north.")
	tm.Shows(form, "Begin with the north.")
	tm.Keys(form, "C-s")
	tm.Text(form, "r")
	tm.Shows(form, "8 of 9 answered, 1 open", "✎ Not across the sea.", "Bergen · Berlin", "Rail · Bicycles · Drones", "▌ ○ When does it begin?")
	tm.Keys(form, "Home", "Down", "Down", "Down", "Down", "Enter")
	tm.Shows(form, "▎ How much does it matter?", "r goes back to all your answers")
	tm.Text(form, "5")
	tm.Shows(form, "◉ 5")
	tm.Text(form, "r")
	tm.Shows(form, "8 of 9 answered, 1 open", "▌ ✓ How much does it matter?")
	tm.Keys(form, "C-s")
}
