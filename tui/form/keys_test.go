package form

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/tui/keymap"
	"planb/tui/tuitest"
)

// TestFormKeysMoveTheFocus holds the first half of the documented table of keys: where each
// key moves the focus.
func TestFormKeysMoveTheFocus(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, keys, want string }{
		{"a form begins with its introduction", "", "intro"},
		{"enter goes on from the introduction", "enter", "format/csv"},
		{"right is the next tab", "right", "format/csv"},
		{"right stops at the last tab", "alt+right alt+right alt+right alt+right alt+right", "why"},
		{"right in text is the caret", "right alt+right right", "name"},
		{"leafing to a text stays on the strip", "right right", "tabs"},
		{"and goes on from there", "right right right", "tabs"},
		{"and back to options", "right right left down", "format/csv"},
		{"left is the tab before", "right left", "intro"},
		{"left stops at the first tab", "left", "intro"},
		{"end is the last tab", "end", "why"},
		{"home is the first", "right home", "intro"},
		{"ctrl+pgdown from text", "end ctrl+pgup", "name"},
		{"alt+right too", "right alt+right alt+right", "why"},
		{"alt+left too", "end alt+left", "name"},
		{"down is the next option", "right down", "format/json"},
		{"down past the options is Other", "right down down down", "format/other"},
		{"then the note", "right down down down down", "format/note"},
		{"then the next question", "right down down down down down", "fields/id"},
		{"up goes back to the note", "right down down down down down up", "format/note"},
		{"and to the last option", "right down down down down down up up", "format/other"},
		{"up from the first question is the strip", "right up", "tabs"},
		{"shift+tab from the first question too", "right shift+tab", "tabs"},
		{"right on the strip is the next tab and stays there", "right up right", "tabs"},
		{"down from the strip", "right up right down", "name"},
		{"enter from the strip", "right up right enter", "name"},
		{"tab is the next question", "right tab", "fields/id"},
		{"shift+tab the one before", "right tab shift+tab", "format/csv"},
		{"tab goes on from the introduction", "tab", "format/csv"},
		{"tab from the strip is the tab's first question", "right up tab", "format/csv"},
		{"tab after a tab's last question is the next tab's first", "right tab tab", "name"},
		{"also where the focus was elsewhere there", "right alt+right tab tab alt+left tab tab", "name"},
		{"tab after the very last question is Submit", "end tab tab", "Submit"},
		{"and goes along the buttons", "end tab tab tab", "Review"},
		{"and round to the strip", "end tab tab tab tab tab", "tabs"},
		{"shift+tab is the same way back from Submit", "end tab tab shift+tab", "go/yes"},
		{"and from Next, never to Back", "right tab down down down down down down shift+tab", "fields/other"},
		{"and from a button to the one before", "end tab tab tab shift+tab", "Submit"},
		{"and over the strip to the tab before", "right alt+right shift+tab shift+tab", "fields/id"},
		{"down to the introduction", "right shift+tab shift+tab", "intro"},
		{"above which is the strip", "shift+tab", "tabs"},
		{"where it ends", "shift+tab shift+tab", "tabs"},
		{"down from the last question leads on", "right tab down down down down down down", "Next ›"},
		{"up from the buttons", "right tab down down down down down down up", "fields/other"},
		{"right on the buttons changes the tab and stays", "right tab down down down down down down right right", "Submit"},
		{"enter on Next", "right tab down down down down down down enter", "name"},
		{"enter twice chooses and goes on", "right enter enter", "fields/id"},
		{"enter in one line goes on", "right alt+right x enter", "time"},
		{"up and down leave one line of text", "right alt+right down down", "time"},
		{"up leaves it upwards", "right alt+right down down up", "name/note"},
		{"left in text stays", "right alt+right left left", "name"},
		{"left on a scale stays", "right alt+right tab tab left", "keep"},
		{"home in text stays", "right alt+right home", "name"},
		{"home on a scale is the first tab", "right alt+right tab tab home", "intro"},
		{"down in long text stays while there are lines", "end a enter b up down", "why"},
		{"down leaves long text at its last line", "end a enter b down", "why/note"},
		{"up leaves long text at its first line", "end up", "tabs"},
		{"tab leaves long text", "end tab", "go/yes"},
		{"enter on the last answer leads to Submit", "end tab enter enter", "Submit"},
		{"n is the note", "right n", "format/note"},
		{"esc closes the note", "right n esc", "format/note"},
		{"enter on what is ticked goes on", "right tab enter enter", "name"},
		{"a digit chooses and goes on to a choice", "right 3", "fields/id"},
		{"from the last question of a tab it stays", "end tab 1", "go/yes"},
		{"and enter goes on", "end tab 1 enter", "Submit"},
		{"enter behind a digit, of one who goes on by it, does nothing more", "right 3 enter", "fields/id"},
		{"nor does tab", "right 3 tab", "fields/id"},
		{"the tab after it goes on", "right 3 tab tab", "name"},
		{"and so does the first one behind a digit that stays", "right tab 3 tab", "name"},
		{"shift+tab behind a digit goes back", "right 3 shift+tab", "format/xml"},
		{"a digit of several stays", "right tab 3", "fields/date"},
		{"the digit of Other opens it", "right 4", "format/other"},
		{"esc closes Other", "right 4 x esc", "format/other"},
		{"down leaves Other", "right 4 x down", "format/note"},
		{"enter in Other goes on", "right 4 x enter", "fields/id"},
		{"pgdown on the introduction stays", "pgdown", "intro"},
		{"digits on the introduction do nothing", "3", "intro"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := richRig(t).keys(test.keys)
			if got := r.where(); got != test.want {
				t.Errorf("%s: the focus is on %s, want %s\n%s", test.keys, got, test.want, r.screen())
			}
		})
	}
}

// TestFormKeysAnswer holds the other half: what each key does to the answers.
func TestFormKeysAnswer(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, keys, want string }{
		{"nothing is answered by looking", "right down down tab down right down", `{}`},
		{"enter chooses", "right enter", `{"format":"csv"}`},
		{"space chooses", "right down space", `{"format":"json"}`},
		{"space does not undo a single choice", "right space space", `{"format":"csv"}`},
		{"a digit chooses", "right 2", `{"format":"json"}`},
		{"another choice replaces the first", "right 2 shift+tab 3", `{"format":"xml"}`},
		{"enter behind a digit chooses nothing", "right 2 enter", `{"format":"json"}`},
		{"the one after it does", "right 2 enter enter", `{"format":"json","fields":["id"]}`},
		{"and so does space", "right 2 space", `{"format":"json","fields":["id"]}`},
		{"backspace clears", "right 2 shift+tab backspace", `{}`},
		{"d takes the default", "right d", `{"format":"csv"}`},
		{"d takes a default of several", "right tab d", `{"fields":["id","total"]}`},
		{"a correcting digit corrects", "end tab 1 2", `{"go":"no"}`},
		{"enter ticks in multi", "right tab enter", `{"fields":["id"]}`},
		{"and takes no tick back", "right tab enter enter", `{"fields":["id"]}`},
		{"space does", "right tab enter space", `{}`},
		{"multi answers come in the options' order", "right tab 3 1", `{"fields":["id","date"]}`},
		{"Other without a word is no answer", "right 4 enter", `{}`},
		{"Other is what was written", "right 4 a b esc", `{"format":"ab"}`},
		{"a choice after Other replaces it", "right 4 a esc 1", `{"format":"csv"}`},
		{"and its text comes back", "right 4 a esc 1 shift+tab 4 b esc", `{"format":"ab"}`},
		{"Other is one more of multi", "right tab 1 5 x esc", `{"fields":["id","x"]}`},
		{"and can be taken out again", "right tab 1 5 x esc space", `{"fields":["id"]}`},
		{"letters are text in text", "right alt+right n z y ? / 1 d a", `{"name":"nzy?/1da"}`},
		{"space is a space there", "right alt+right a space b", `{"name":"a b"}`},
		{"backspace deletes a letter there", "right alt+right a b backspace", `{"name":"a"}`},
		{"enter takes the default of empty text", "right alt+right tab enter", `{"time":"03:00"}`},
		{"right too", "right alt+right tab right", `{"time":"03:00"}`},
		{"ctrl+z takes back a word", "right alt+right o n e space t w o ctrl+z", `{"name":"one "}`},
		{"ctrl+y does it again", "right alt+right o n e space t w o ctrl+z ctrl+y", `{"name":"one two"}`},
		{"ctrl+z takes back a default taken over", "right alt+right tab enter ctrl+z", `{}`},
		{"ctrl+z takes back Other's words", "right 4 a b ctrl+z c esc", `{"format":"c"}`},
		{"ctrl+z outside of text is nothing", "right 2 ctrl+z", `{"format":"json"}`},
		{"undo in the menu", "right alt+right o n e esc u", `{}`},
		{"enter in long text is a line break", "end a enter b", `{"why":"a\nb"}`},
		{"enter sets the shown value", "right alt+right tab tab enter", `{"keep":30}`},
		{"space too", "right alt+right tab tab space", `{"keep":30}`},
		{"right raises it", "right alt+right tab tab right", `{"keep":31}`},
		{"left lowers it", "right alt+right tab tab left left", `{"keep":28}`},
		{"digits type it", "right alt+right tab tab 1 2", `{"keep":12}`},
		{"digits that fit no more begin anew", "right alt+right tab tab 9 1", `{"keep":1}`},
		{"backspace takes a digit back", "right alt+right tab tab 1 2 backspace", `{"keep":1}`},
		{"backspace clears a scale", "right alt+right tab tab enter backspace", `{}`},
		{"an untouched scale is not its minimum", "right alt+right tab tab tab", `{}`},
		{"left at the minimum sets it", "right alt+right tab tab tab left", `{"mood":1}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := richRig(t).keys(test.keys)
			if got := r.answersNow(); got != test.want {
				t.Errorf("%s: %s, want %s\n%s", test.keys, got, test.want, r.screen())
			}
		})
	}
}

func TestFormNotes(t *testing.T) {
	r := richRig(t).keys("right n").write("ask ops").keys("ctrl+s")
	if got := r.Entry().Fields["format"].Note.Raw(); got != "ask ops" {
		t.Errorf("note %q", got)
	}
	r.keys("up down enter").write("!").keys("esc")
	if got := r.q().state.answers().reply.Notes["format"].Raw(); got != "ask ops!" {
		t.Errorf("note after going back by arrows: %q", got)
	}
	if !strings.Contains(r.screen(), "✎ ask ops!") {
		t.Errorf("the note is not on the screen:\n%s", r.screen())
	}
	r.keys("backspace")
	if got := r.Entry().Fields["format"].Note; !got.IsZero() {
		t.Errorf("backspace on the note's row left %q", got)
	}
}

// TestFormFilter holds the filter of long lists: / opens it, words narrow the list, Other…
// stays, digits count the rows shown, and Esc takes the filter away.
func TestFormFilter(t *testing.T) {
	var options []string
	for i := range 14 {
		options = append(options, fmt.Sprintf(`"city %02d"`, i))
	}
	spec := tuitest.Parse(t, `{"title":"t","questions":[{"id":"q","kind":"single","label":"l","options":[`+strings.Join(options, ",")+`]}]}`)
	r := rig(t, formInputOf(spec), 80, 24).keys("/").write("1 ci")
	screen := r.screen()
	if !strings.Contains(screen, "5 of 14") || strings.Contains(screen, "city 02") || !strings.Contains(screen, "Other…") {
		t.Fatalf("filtered by “1 ci”:\n%s", screen)
	}
	r.keys("enter down space")
	if got := r.answersNow(); got != `{"q":"city 10"}` {
		t.Errorf("the second of the found is %s", got)
	}
	if r.keys("esc"); !strings.Contains(r.screen(), "city 02") || r.dialog != nil {
		t.Errorf("esc did not take the filter away:\n%s", r.screen())
	}
	if got := r.where(); got != "q/city 10" {
		t.Errorf("the cursor went to %s", got)
	}
	for _, keys := range []string{"/", "enter"} { // in the filter's line, and in the list
		if keys == "/" {
			r.keys(keys).write("atlantis")
		} else {
			r.keys(keys)
		}
		if screen := r.screen(); !strings.Contains(screen, "no option matches; esc shows all") {
			t.Errorf("nothing is said where nothing is found:\n%s", screen)
		}
	}
	if r.keys("esc"); !strings.Contains(r.screen(), "city 02") {
		t.Errorf("esc shows not all:\n%s", r.screen())
	}
	if richRig(t).keys("right /").q().state.text() != nil {
		t.Error("a short list has a filter")
	}
}

// TestIntroOffersToScrollWhereThereIsMore holds that the footer names the key only if it does
// something.
func TestIntroOffersToScrollWhereThereIsMore(t *testing.T) {
	for _, height := range []int{14, 60} {
		r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, height)
		before := r.screen()
		offered := strings.Contains(lastRow(r), "scroll")
		if moved := r.keys("pgdown").screen() != before; moved != offered {
			t.Errorf("at %d rows scrolling is offered: %v, and does something: %v\n%s", height, offered, moved, before)
		}
	}
}

// TestWhoWritesGoesOnWriting holds that ↓ leads from a text into its note, where letters are
// text, too, and from there to the next question.
func TestWhoWritesGoesOnWriting(t *testing.T) {
	for _, kind := range []string{"text", "longtext"} {
		spec := tuitest.Parse(t, `{"title":"t","questions":[{"id":"q","kind":"`+kind+`","label":"l"},{"id":"more","kind":"text","label":"m"}]}`)
		r := rig(t, formInputOf(spec), 80, 24).write("red").keys("down").write("or rust")
		e := r.q().state.controls[0]
		if got := r.answersNow(); got != `{"q":"red"}` || e.note.Text() != "or rust" || r.q().summary != nil {
			t.Errorf("%s: answered %s, with the note %q:\n%s", kind, got, e.note.Text(), r.screen())
		}
		if r.keys("down"); r.q().state.focused() != r.q().state.controls[1] {
			t.Errorf("%s: ↓ does not lead out of the note:\n%s", kind, r.screen())
		}
	}
}

// TestFormEveryKeyHasAButtonOrIsInTheMenu holds that a terminal or multiplexer
// that takes a key for itself takes nothing from the person.
func TestFormEveryKeyHasAButtonOrIsInTheMenu(t *testing.T) {
	r := richRig(t).keys("right alt+right")
	reachable := map[keymap.Action]string{
		keymap.Submit: "s", keymap.Editor: "e", keymap.UndoText: "u", keymap.RedoText: "U", keymap.Help: "?", keymap.Zoom: "z",
		keymap.PrevTab: "‹ Back", keymap.NextTab: "Next ›", keymap.Menu: "Menu",
		keymap.PageUp: "z", keymap.PageDown: "z", // the zoom scrolls by arrows
	}
	byLetter := []keymap.Action{keymap.WordLeft, keymap.WordRight, keymap.DeleteWord, keymap.NewLine} // the arrows, backspace and enter do it, too
	r.showMenu()
	menu, buttons := r.dialog, ""
	for _, b := range r.q().state.buttons() {
		buttons += buttonLabel(b, false) + " "
	}
	for _, k := range r.toldKeys() {
		name := k.Key.Keys()[0]
		if slices.Contains(byLetter, k.Act) || !strings.HasPrefix(name, "ctrl+") && !strings.HasPrefix(name, "pg") && name != "f1" {
			continue
		}
		way, ok := reachable[k.Act]
		if !ok || !strings.Contains(buttons, way) && !menu.Has(way) {
			t.Errorf("%s can be reached by no button and not from the menu", name)
		}
	}
}

// toldKeys are the keys a person is told of.
func (r *formRig) toldKeys() []keymap.Binding {
	var all []keymap.Binding
	for _, k := range r.Form.keys.All() {
		if k.Group != "" {
			all = append(all, k)
		}
	}
	return all
}

func TestFormHelpTellsEveryKey(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 100, 60).keys("?")
	screen := r.screen()
	for _, group := range keymap.HelpPage(r.Form.keys, keymap.FormGroups()) {
		for _, row := range group.Rows {
			if !strings.Contains(screen, row.Key) || !strings.Contains(screen, firstWords(row.Does)) {
				t.Errorf("the help does not tell %s: %s", row.Key, row.Does)
			}
		}
	}
	if !strings.Contains(screen, "no passwords") {
		t.Error("the help does not say that secrets don't belong here")
	}
	if r.keys("esc"); r.sheet != nil || r.dialog != nil {
		t.Error("esc does not just close the help")
	}
	if r.keys("f1"); r.sheet == nil {
		t.Error("F1 is not help")
	}
}

func firstWords(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	words := strings.Fields(s)
	return strings.Join(words[:min(3, len(words))], " ")
}

func TestFormPasteOutsideTextIsNoCommand(t *testing.T) {
	r := richRig(t).keys("right").send(tea.PasteMsg{Content: "123\n"})
	if got := r.answersNow(); got != `{}` {
		t.Errorf("a paste answered %s", got)
	}
	r.keys("alt+right").send(tea.PasteMsg{Content: "a\nb"})
	if got := r.answersNow(); got != `{"name":"a b"}` {
		t.Errorf("a paste into one line: %s", got)
	}
}
