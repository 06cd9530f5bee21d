package questions_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"planb/questions"
	"planb/questions/safe"
)

func TestMergeEntry(t *testing.T) {
	type fields = map[string]questions.Field
	said := func(text string) questions.Field { return questions.Field{Text: safe.New(text)} }
	noted := func(f questions.Field, note string) questions.Field {
		f.Note = safe.New(note)
		return f
	}
	for name, c := range map[string]struct{ base, own, theirs, want questions.Entry }{
		"another question": {
			own: questions.Entry{Fields: fields{"a": said("x")}, Focus: "a"}, theirs: questions.Entry{Fields: fields{"b": said("y")}, Focus: "b"},
			want: questions.Entry{Fields: fields{"a": said("x"), "b": said("y")}, Focus: "a"},
		},
		"the same question": {
			base: questions.Entry{Fields: fields{"a": said("x")}}, own: questions.Entry{Fields: fields{"a": said("own")}},
			theirs: questions.Entry{Fields: fields{"a": said("theirs")}}, want: questions.Entry{Fields: fields{"a": said("own")}},
		},
		"the answer here, the note there": {
			base: questions.Entry{Fields: fields{"a": said("x")}}, own: questions.Entry{Fields: fields{"a": said("own")}},
			theirs: questions.Entry{Fields: fields{"a": noted(said("x"), "why")}},
			want:   questions.Entry{Fields: fields{"a": noted(said("own"), "why")}},
		},
		"the note here, the answer there": {
			base: questions.Entry{Fields: fields{"a": said("x")}}, own: questions.Entry{Fields: fields{"a": noted(said("x"), "why")}},
			theirs: questions.Entry{Fields: fields{"a": said("theirs")}},
			want:   questions.Entry{Fields: fields{"a": noted(said("theirs"), "why")}},
		},
		"taken back there": {
			base: questions.Entry{Fields: fields{"a": said("x"), "b": said("y")}}, own: questions.Entry{Fields: fields{"a": said("x"), "b": said("z")}},
			theirs: questions.Entry{Fields: fields{"b": said("y")}},
			want:   questions.Entry{Fields: fields{"a": {}, "b": said("z")}},
		},
		"taken back here": {
			base: questions.Entry{Fields: fields{"a": said("x")}}, theirs: questions.Entry{Fields: fields{"a": said("x")}, Note: safe.New("all")},
			want: questions.Entry{Note: safe.New("all")},
		},
		"notes and messages": {
			own: questions.Entry{Note: safe.New("own")}, theirs: questions.Entry{Note: safe.New("theirs"), Message: safe.New("later")},
			want: questions.Entry{Note: safe.New("own"), Message: safe.New("later")},
		},
	} {
		if got := c.own.Merge(c.base, c.theirs); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// TestMergeEntryKeepsEveryChange holds, for any three entries, that a merge keeps what changed on
// one side only, and that two panes which merge one after the other hold the same in the end.
func TestMergeEntryKeepsEveryChange(t *testing.T) {
	t.Parallel()
	texts := rapid.SampledFrom([]string{"", "x", "y"})
	field := rapid.Custom(func(t *rapid.T) questions.Field {
		f := questions.Field{Text: safe.New(texts.Draw(t, "text")), Note: safe.New(texts.Draw(t, "note"))}
		if rapid.Bool().Draw(t, "scale") {
			f.Number = number(float64(rapid.IntRange(0, 1).Draw(t, "number")))
		}
		f.Picked = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b"}), 0, 2, rapid.ID).Draw(t, "picked")
		return f
	})
	entry := rapid.Custom(func(t *rapid.T) questions.Entry {
		return questions.Entry{
			Fields: rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), field, 0, 3).Draw(t, "fields"),
			Note:   safe.New(texts.Draw(t, "note on all")), Message: safe.New(texts.Draw(t, "message")),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		base, one, two := entry.Draw(t, "base"), entry.Draw(t, "one"), entry.Draw(t, "two")
		if got := one.Merge(base, base); !got.Same(one) {
			t.Errorf("nothing changed there: %+v became %+v", one, got)
		}
		if got := base.Merge(base, two); !got.Same(two) {
			t.Errorf("nothing changed here: got %+v, want %+v", got, two)
		}
		stored := two.Merge(base, one) // one is stored, and two is saved over it
		if got := one.Merge(one, stored); !got.Same(stored) {
			t.Errorf("one shows %+v, and %+v is stored", got, stored)
		}
		if got := two.Merge(two, stored); !got.Same(stored) {
			t.Errorf("two shows %+v, and %+v is stored", got, stored)
		}
		for _, id := range []string{"a", "b", "c"} {
			want := two.Fields[id]
			if want.Note == base.Fields[id].Note {
				want.Note = one.Fields[id].Note
			}
			if alone(two, id, false).Same(alone(base, id, false)) {
				note := want.Note
				want = one.Fields[id]
				want.Note = note
			}
			if wanted := (questions.Entry{Fields: map[string]questions.Field{id: want}}); !wanted.Same(alone(stored, id, true)) {
				t.Errorf("%s is stored as %+v, want %+v", id, stored.Fields[id], want)
			}
		}
	})
}

// alone returns an entry with one question of another one, and with the note if it counts.
func alone(d questions.Entry, id string, noted bool) questions.Entry {
	f := d.Fields[id]
	if !noted {
		f.Note = safe.Text{}
	}
	return questions.Entry{Fields: map[string]questions.Field{id: f}}
}
