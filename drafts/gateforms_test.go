package drafts_test

import (
	"reflect"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/shape"
	"planb/questions"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
)

// valid checks that a form is one that planb itself accepts.
func valid(t *testing.T, form questions.Spec) {
	t.Helper()
	again, err := questions.Parse(form.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	if again.Digest() != form.Digest() {
		t.Errorf("the form is read as another:\n%s\n%s", form.Canonical(), again.Canonical())
	}
}

// Section 2, gates: choose has the scenarios with their tables, the recommended one
// proposed, and what was missing.
func TestTheFormOfTheScenarios(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "choose")
	form := d.ChooseForm()
	valid(t, form)
	q := form.Questions[0]
	if said, _ := q.Default.Text(); said != "S2" || len(q.Options) != 3 || !q.Other || !q.Required || len(form.Questions) != 4 {
		t.Errorf("%s", form.Canonical())
	}
	if said := q.Description.Raw(); !strings.HasPrefix(said, "Proposed: Open small, register beside it. ") {
		t.Errorf("the form says: %s", said)
	}
	for _, want := range []string{
		"**It holds if:** ",
		"so the opening keeps 1 June 2027 (the opening)", "| Fit-out of the bakery | Only what the opening needs: ramp, benches, counter |",
		"- **unclear:** Be a cooperative, not a limited company (for some months it is not yet a cooperative)",
	} {
		if !strings.Contains(q.Options[1].Markdown.Raw(), want) {
			t.Errorf("the illustration has not %q:\n%s", want, q.Options[1].Markdown.Raw())
		}
	}
	reply := questions.Reply{
		Answers: map[string]questions.Value{"scenario": questions.TextValue("S3"), "missing-2": questions.TextValue("60 EUR")},
		Notes:   map[string]safe.Text{"scenario": safe.New("but faster"), "missing-2": safe.New("at first")}, Note: safe.New("thanks"),
	}
	if err := form.CheckReply(reply); err != nil {
		t.Fatal(err)
	}
	want := drafts.Choice{Scenario: "S3", Answers: map[string]string{"Prices": "60 EUR at first", "Scenario": "but faster", "Note": "thanks"}, By: "anna@home"}
	got := d.Chosen(reply, "anna@home")
	if chosen, err := d.Choose(drafts.Choice{Scenario: "S2", By: "anna@home"}); err != nil || chosen.Record("scenario").Text("holds_if") == "" {
		t.Errorf("later steps don't learn on what the chosen way holds: %v, %v", chosen, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if _, err := d.Choose(got); err != nil {
		t.Error(err)
	}
	own := d.Chosen(questions.Reply{Answers: map[string]questions.Value{"scenario": questions.TextValue("All three, one after another.")}}, "anna@home")
	o, err := d.Choose(own)
	if err != nil || o.Record("scenario").Text("logic") != "All three, one after another." || o.Record("scenario").Text("id") != "" {
		t.Errorf("%v, %v", o, err)
	}
}

// Section 2, gates: confirm asks about each assumption with ask, and what is wrong
// or missing.
func TestTheFormOfTheAssumptions(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "confirm")
	form := d.ConfirmForm()
	valid(t, form)
	var ids []string
	for _, q := range form.Questions {
		ids = append(ids, q.ID)
	}
	if got := strings.Join(ids, " "); got != "A2 A3 A4 A5 A8 wrong" {
		t.Errorf("the form asks %s", got)
	}
	text := questions.TextValue
	reply := questions.Reply{
		Answers: map[string]questions.Value{"A2": text("keep"), "A3": text("drop"), "A4": text("1,500 EUR each"), "A5": text("keep"), "A8": text("unknown"), "wrong": text("The garden.")},
		Notes:   map[string]safe.Text{"A5": safe.New("ask soon")},
	}
	if err := form.CheckReply(reply); err != nil {
		t.Fatal(err)
	}
	got := d.Confirmed(reply, "anna@home")
	want := drafts.Confirmation{Changed: map[string]string{"A4": "1,500 EUR each"}, Dropped: []string{"A3"}, Unknown: []string{"A8"}, Wrong: "The garden. A5: ask soon", By: "anna@home"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	confirmed, err := d.Confirm(got)
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	for _, a := range confirmed.Records("assumptions") {
		states = append(states, a.Text("id")+" "+a.Text("state"))
	}
	if got := strings.Join(states, ", "); !strings.HasPrefix(got, "A1 kept, A2 kept, A3 dropped, A4 changed, A5 kept, ") || !strings.Contains(got, "A8 unknown") {
		t.Errorf("kept is %s", got)
	}
	if text := d.With("confirm", confirmed).Part("confirm", "short"); !strings.Contains(text, "| not known |") {
		t.Errorf("the register does not say what the person does not know:\n%s", text)
	}
}

// Whoever writes "?" where they know no answer can send the form nevertheless.
func TestAQuestionMarkIsNoAnswer(t *testing.T) {
	t.Parallel()
	text := questions.TextValue
	d := draftstest.UpTo(t, "choose")
	chosen, err := d.Choose(d.Chosen(questions.Reply{Answers: map[string]questions.Value{"scenario": text("S1"), "missing-1": text("?")}, Note: safe.New("…")}, "anna@home"))
	if err != nil || len(chosen.Record("answers")) != 0 {
		t.Errorf("chosen is %v, %v", chosen, err)
	}
	d = draftstest.UpTo(t, "confirm")
	confirmed, err := d.Confirm(d.Confirmed(questions.Reply{Answers: map[string]questions.Value{"wrong": text("-")}, Notes: map[string]safe.Text{"A5": safe.New("?")}}, "anna@home"))
	if err != nil || confirmed.Text("wrong") != "A5: ?" {
		t.Errorf("confirmed is %v, %v", confirmed, err)
	}
}

// The report never says that a person kept words which they have not seen.
func TestWhatAPersonKeptIsNotPutInOtherWords(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	seen := d.Output("assumptions").Records("assumptions")[1].Text("text")
	d.Output("summary.2")["changes"] = []any{shape.Object{"step": "assumptions", "excerpt": seen, "replacement": "A repair brings 55 EUR.", "why": "x"}}
	for _, part := range []string{"said", "short", "register"} {
		if text := d.Part("confirm", part); !strings.Contains(text, "| kept; it was: "+seen+" |") {
			t.Errorf("%s:\n%s", part, text)
		}
	}
}

// A person who confirms an assumption reads how far it may be off, and how it becomes known.
func TestTheFormOfTheAssumptionsSaysWhatIsBehindEach(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "confirm")
	a := d.Output("assumptions").Records("assumptions")[1]
	said := d.ConfirmForm().Questions[0].Description.Raw()
	for _, field := range []string{"question", "range", "if_wrong", "test", "who"} {
		if want := a.Text(field); want == "" || !strings.Contains(said, want) {
			t.Errorf("the form leaves out the %s, %q:\n%s", field, want, said)
		}
	}
}

// What is behind an assumption reads as sentences, also where it is read out line by line.
func TestWhatIsBehindAnAssumptionIsSentences(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "confirm")
	a := d.Output("assumptions").Records("assumptions")[1]
	for field, text := range map[string]string{
		"question": "How many sign", "range": "20 to 80", "basis": "guess", "if_wrong": "The gap grows by 3,600 euros", "test": "Lena counts the forms.", "who": "Lena", "by": "2027-08-01",
	} {
		a[field] = text
	}
	const want = "How many sign. Basis: guess, 20 to 80. If it is wrong: The gap grows by 3,600 euros. Known by 1 August 2027: Lena counts the forms (Lena)."
	if said := d.ConfirmForm().Questions[0].Description.Raw(); said != want {
		t.Errorf("said is %q, want %q", said, want)
	}
}

// The form of the assumptions is a list: each offers the same, a line an option, so that a
// screen folds those that a person is not at.
func TestTheFormOfTheAssumptionsIsAList(t *testing.T) {
	t.Parallel()
	form := draftstest.UpTo(t, "confirm").ConfirmForm()
	for _, q := range form.Questions {
		if q.ID == "wrong" {
			continue
		}
		if !reflect.DeepEqual(q.Options, form.Questions[0].Options) || q.Tab != form.Questions[0].Tab {
			t.Errorf("%s offers something else: %+v", q.ID, q)
		}
		for _, o := range q.Options {
			if !o.Description.IsZero() || len(o.Label.Raw()) > 60 {
				t.Errorf("%q takes more than a line", o.Label.Raw())
			}
		}
	}
}

// The forms stay valid, whatever a model wrote.
func TestFormsOfHostileTexts(t *testing.T) {
	t.Parallel()
	for name, hostile := range safetest.Hostile() {
		if len(hostile) > 100 {
			continue // no step accepts a title that is so long
		}
		d := draftstest.UpTo(t, "risks")
		for _, id := range []string{"brief", "scenarios", "assumptions"} {
			s := draftstest.Step(t, d, id)
			s.Shape.Walk(d.Output(id), func(_ string, f shape.Field, value any) any {
				if f.Kind == shape.Text {
					return "x " + strings.ToValidUTF8(hostile, "?") + " | **b** <b>"
				}
				return value
			})
		}
		t.Run(name, func(t *testing.T) {
			valid(t, d.ChooseForm())
			valid(t, d.ConfirmForm())
			if text := d.ChooseForm().Questions[0].Options[0].Markdown.Raw(); strings.Contains(text, "<b>") || strings.Contains(text, "**b**") {
				t.Errorf("the illustration:\n%s", text)
			}
		})
	}
}
