package form

import (
	"strings"
	"testing"

	"planb/questions"
)

// TestEveryLongTextHasTheSameKeys holds for each text of several lines that Enter, alone or
// with another key, begins a new line and never leaves or sends the text, that the footer says
// so, and that Ctrl+S keeps or sends the text.
func TestEveryLongTextHasTheSameKeys(t *testing.T) {
	t.Parallel()
	form := func() *formRig { return richRig(t).answerRequired() }
	outcome := func(r *formRig) questions.Outcome {
		msg, _ := last[SettleRequested](r)
		return msg.Outcome
	}
	notes := func(r *formRig) string {
		entry := r.Entry()
		kept := entry.Note.Raw()
		for _, field := range entry.Fields {
			kept += field.Note.Raw()
		}
		return kept
	}
	for name, place := range map[string]struct {
		rig  func() *formRig
		keys string // lead there
		done string // what ctrl+s does, as the footer says it
		got  func(*formRig) string
	}{
		"a long text": {form, "end up up", "submit", func(r *formRig) string {
			text, _ := outcome(r).Reply.Answers["why"].Text()
			return text
		}},
		"a question's note":         {form, "home right n", "keep", notes},
		"a text's note":             {form, "home right alt+right down", "keep", notes},
		"a note on the form":        {form, "esc N", "keep", notes},
		"a reply without finishing": {form, "esc m", "send", func(r *formRig) string { return outcome(r).Message.Raw() }},
		"a reason to decline":       {form, "esc d", "decline", func(r *formRig) string { return outcome(r).Message.Raw() }},
	} {
		t.Run(name, func(t *testing.T) {
			r := place.rig().keys(place.keys)
			before := r.answersNow()
			for i, key := range []string{"enter", "shift+enter", "alt+enter", "ctrl+j"} {
				r.write(string(rune('a' + i))).keys(key)
			}
			r.write("z")
			if !r.Form.writing() {
				t.Fatalf("the text was left:\n%s", r.screen())
			}
			if _, sent := last[SettleRequested](r); sent {
				t.Fatal("the text was sent unfinished")
			}
			if hints := lastRow(r); !strings.Contains(hints, "ctrl+s "+place.done) || !strings.Contains(hints, "enter new line") {
				t.Errorf("the footer says %q", hints)
			}
			if r.keys("ctrl+s"); place.done == "submit" && r.q().summary != nil {
				r.keys("ctrl+s") // what is open was shown
			}
			if got := place.got(r); !strings.Contains(got, "a\nb\nc\nd\nz") {
				t.Errorf("kept %q", got)
			}
			if place.done == "keep" && (r.Form.writing() || r.answersNow() != before) {
				t.Errorf("ctrl+s leaves the answers %s, before %s:\n%s", r.answersNow(), before, r.screen())
			}
		})
	}
}

// TestOneLineGoesOnByEnter holds that in one line of text each kind of Enter goes on at once.
func TestOneLineGoesOnByEnter(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"enter", "shift+enter", "alt+enter", "ctrl+j"} {
		if r := richRig(t).keys("right alt+right x " + key); r.where() != "time" || r.answersNow() != `{"name":"x"}` {
			t.Errorf("%s in one line leads to %s with %s", key, r.where(), r.answersNow())
		}
		if r := richRig(t).keys("right 4 x " + key); r.where() != "fields/id" || r.answersNow() != `{"format":"x"}` {
			t.Errorf("%s under Other… leads to %s with %s", key, r.where(), r.answersNow())
		}
	}
}

// TestOtherIsFoundAgain holds that the footer names the key that edits the text under "Other…"
// of a single choice, and that the key does so.
func TestOtherIsFoundAgain(t *testing.T) {
	t.Parallel()
	r := richRig(t).keys("right 4 x enter up up")
	if !strings.HasPrefix(r.where(), "format") {
		t.Fatalf("up leads to %s", r.where())
	}
	if hints := lastRow(r); !strings.Contains(hints, "space edit") || !strings.Contains(hints, "enter next") {
		t.Errorf("at %s the footer says %q\n%s", r.where(), hints, r.screen())
	}
	if r.keys("space y enter"); r.answersNow() != `{"format":"xy"}` {
		t.Errorf("space and y make it %s", r.answersNow())
	}
}

// TestAltEnterIsNoEscape holds that a key which only looks like Esc and Enter neither closes a
// dialog nor chooses anything below it.
func TestAltEnterIsNoEscape(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"esc m", "esc m x tab", "esc d tab tab", "esc N tab", "n"} {
		r := richRig(t).keys("right down").keys(keys)
		before := r.answersNow()
		if r.keys("alt+enter"); r.answersNow() != before {
			t.Errorf("alt+enter after %q answered %s\n%s", keys, r.answersNow(), r.screen())
		}
	}
}
