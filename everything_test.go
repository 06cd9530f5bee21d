package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// askedBefore has two questions that are in everything.json, too: one by its words,
// one by its id and a word.
const askedBefore = `{"title": "Before all this", "questions": [
	{"id": "working_title", "kind": "text", "label": "What shall the service be called"},
	{"id": "stars", "kind": "scale", "label": "Does it matter to many?", "min": 1, "max": 5}]}`

// Everything that a form can show and that can be done in it, in one form and by
// one person: the diagrams, tables and code are read and panned, the panel is made
// larger, options are compared on the whole screen, filtered and all taken, texts
// are undone, pasted and written in an editor, an earlier answer is taken over, and
// from the page with all answers one is gone back to. The client receives exactly
// that.
func TestAFormWithEverything(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 240, 36)
	home := tm.panes()[0]
	saw := scriptedEditor(t, tm)
	a := startAgent(t, data, tm.environment(home))

	call := a.start("ask_user", arguments(t, a.session("Before"), askedBefore))
	form := tm.newPane(home)
	tm.ready(form)
	tm.text(form, "Heron")
	tm.shows(form, "Heron")
	tm.keys(form, "Tab")
	tm.text(form, "3")
	tm.shows(form, "2/2 answered")
	tm.keys(form, "C-s")
	call.reply()
	tm.gone(form)

	session := a.session("Parcels")
	call = a.start("ask_user", arguments(t, session, readSpec(t, "everything.json")))
	form = tm.newPane(home)
	tm.ready(form)
	readEverything(t, tm, form)
	chooseEverything(tm, form)
	log := writeEverything(tm, form)
	// Right behind a paste keys do not count.
	until(t, "what was pasted is kept", func() bool { return strings.Contains(draftOf(t, data, session), "a depot's log") })
	lookOverEverything(tm, form)

	got := call.reply()
	want := `{"shape":"ring","cities":["Bergen","Berlin"],"carriers":["rail","bike","Drones"],"days":12.5,"stars":5,"name":"Heron",` +
		`"story":"Rain often got in\nand the lift","log":"` + strings.ReplaceAll(log[:2000], "\n", `\n`) + `…"}`
	if got.texts[0] != want {
		t.Errorf("the agent received %d bytes, want %d:\n%.600s", len(got.texts[0]), len(want), got.texts[0])
	}
	besides := strings.Join(got.texts[1:], "\n")
	_, path, _ := strings.Cut(besides, "log is longer than clients pass on: 1,048,576 characters. All of it: ")
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
	if state, err := json.Marshal(got.data); err != nil || !strings.Contains(string(state), `"answered"`) {
		t.Errorf("_meta planb/result is %s (%v)", state, err)
	}
	if text, err := os.ReadFile(saw); err != nil || !strings.Contains(string(text), "What has gone wrong before?") || !strings.Contains(string(text), "Rain often got in") {
		t.Errorf("the editor was given %q, %v", text, err)
	}
	tm.gone(form)
}

// scriptedEditor makes $VISUAL in every new pane a program that adds a line, and
// returns the file in which it leaves what it was given.
func scriptedEditor(t *testing.T, tm *tmuxServer) (saw string) {
	t.Helper()
	program := filepath.Join(tm.home, "editor")
	saw = program + ".saw"
	if err := os.WriteFile(program, []byte("#!/bin/sh\ncp \"$1\" '"+saw+"' && printf 'and the lift\\n' >> \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	tm.run("set-environment", "-g", "VISUAL", program)
	return saw
}

var columnsShown = regexp.MustCompile(`cols 1–(\d+) of`)

// readEverything reads the introduction and the options' illustrations.
func readEverything(t *testing.T, tm *tmuxServer, form string) {
	t.Helper()
	tm.shows(form, "┌─ Shop ─", "┌─ Payments ─", "( Cart )", "◇ Paid? ◇")
	tm.keys(form, "NPage")
	tm.shows(form, "Buyer", "1. order", "3. sorry")
	tm.keys(form, "C-NPage")
	tm.shows(form, "One after the other  default", "│ Aarhus │", " by road ", "/ filters 40 options")
	before := columnsShown.FindString(tm.screen(form))
	tm.text(form, "<")
	until(t, "the panel is larger", func() bool {
		now := columnsShown.FindString(tm.screen(form))
		return before != "" && now != "" && now != before
	})
	tm.keys(form, "S-Right", "S-Right")
	tm.shows(form, "‹")
	tm.keys(form, "Down")
	tm.shows(form, "Parcels by month")
	tm.keys(form, "Down")
	tm.shows(form, "The routes of today", "of 41")
	tm.text(form, "z")
	tm.shows(form, "As the code has it · ", "3 of 4")
	tm.keys(form, "NPage")
	tm.shows(form, "// 40", "of 41")
	tm.keys(form, "Tab")
	tm.shows(form, "By the state of an order · ", "│ Paid │")
	tm.keys(form, "BTab", "BTab", "BTab")
	tm.shows(form, "One after the other · ", "cols 1–")
	tm.keys(form, "End")
	tm.shows(form, "│ Copenhagen │", " by rail ")
	tm.keys(form, "Enter")
	tm.shows(form, "◉ 1  One after the other", "1/9 answered")
}

// chooseEverything answers what is chosen.
func chooseEverything(tm *tmuxServer, form string) {
	tm.text(form, "n")
	tm.text(form, "Not across the sea.")
	tm.shows(form, "Not across the sea.")
	tm.keys(form, "C-s", "Tab")
	tm.text(form, "*") // all, then none, then all that the filter shows
	tm.shows(form, "☑ 1  Amsterdam")
	tm.text(form, "*")
	tm.shows(form, "☐ 1  Amsterdam", "1/9 answered")
	tm.text(form, "/ber")
	tm.shows(form, "2 of 40")
	tm.keys(form, "Enter")
	tm.text(form, "*")
	tm.shows(form, "2/9 answered")
	tm.keys(form, "Tab")
	tm.text(form, "d4")
	tm.text(form, "Drones")
	tm.shows(form, "☑ 1  Rail", "☐ 2  Road", "☑ 3  Bicycles", "Drones", "3/9 answered")
	tm.keys(form, "C-NPage")
	tm.shows(form, "7  default, not set", "├──────┼─○", "0      5     10")
	tm.text(form, "12.5")
	tm.shows(form, "12.5")
	tm.keys(form, "Enter")
	tm.shows(form, "4/9 answered")
	tm.shows(form, "answered before: 3 · ", "a takes it over")
	tm.text(form, "a")
	tm.shows(form, "as before: 3 · ", "5/9 answered")
	tm.keys(form, "Tab")
}

// writeEverything answers what is written, and returns what was pasted.
func writeEverything(tm *tmuxServer, form string) (log string) {
	tm.shows(form, "before: Heron")
	tm.keys(form, "C-r")
	tm.shows(form, "› Heron", "6/9 answered")
	tm.keys(form, "Tab")
	tm.text(form, "Rain got in")
	tm.shows(form, "Rain got in", "7/9 answered")
	tm.keys(form, "C-w")
	until(tm.t, "the word is away", func() bool { return !strings.Contains(tm.screen(form), "got in") })
	tm.keys(form, "C-z")
	tm.shows(form, "Rain got in")
	tm.keys(form, "C-Left", "C-Left")
	tm.text(form, "often ")
	tm.shows(form, "Rain often got in")
	tm.keys(form, "C-g")
	tm.shows(form, "and the lift")
	tm.keys(form, "Tab")
	log = strings.Repeat("a depot's log has lines of sixty-four bytes, each like the last\n", 1<<20/64)
	file := filepath.Join(tm.home, "log")
	if err := os.WriteFile(file, []byte(log), 0o600); err != nil {
		tm.t.Fatal(err)
	}
	tm.run("load-buffer", file)
	tm.run("paste-buffer", "-p", "-t", form)
	tm.shows(form, "8/9 answered")
	return log
}

// lookOverEverything adds a note on the whole, looks at all answers, goes back to
// one of them, changes it and sends.
func lookOverEverything(tm *tmuxServer, form string) {
	until(tm.t, "the pasted text is left", func() bool { // keys right behind a paste are dropped
		tm.keys(form, "Tab")
		return !strings.Contains(tm.screen(form), "enter new line")
	})
	tm.text(form, "N")
	tm.shows(form, "Keep")
	tm.text(form, "Begin with the north.")
	tm.shows(form, "Begin with the north.")
	tm.keys(form, "C-s")
	tm.text(form, "r")
	tm.shows(form, "8 of 9 answered, 1 open", "✎ Not across the sea.", "Bergen, Berlin", "Rail, Bicycles, Drones", "▸ ○ When does it begin?")
	tm.keys(form, "Home", "Down", "Down", "Down", "Down", "Enter")
	tm.shows(form, "▌ How much does it matter?", "r goes back to all your answers")
	tm.text(form, "5")
	tm.shows(form, "◉ 5")
	tm.text(form, "r")
	tm.shows(form, "8 of 9 answered, 1 open", "▸ ✓ How much does it matter?")
	tm.keys(form, "C-s")
}
