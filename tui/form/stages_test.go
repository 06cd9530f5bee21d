package form

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/editor/external"
	"planb/tui/form/field"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// TestFormSettledElsewhere holds that a form which was answered elsewhere, or withdrawn by its
// agent, says so, takes no more answers, and lets the person copy their text.
func TestFormSettledElsewhere(t *testing.T) {
	for state, want := range map[questions.State]string{
		questions.Answered:  "This form was answered elsewhere by you@host at 14:07",
		questions.Declined:  "This form was declined elsewhere by you@host",
		questions.Withdrawn: "The agent took this question back",
	} {
		r := richRig(t).keys("right 2")
		ask := r.in.Ask
		ask.Outcome = questions.Outcome{State: state, By: "you@host", At: tuitest.Moment}
		r.send(AskChanged{Ask: ask}).enter()
		for _, want := range []string{want, "What you wrote is printed when you close this; c copies it."} {
			if !strings.Contains(boxed(r.screen()), want) {
				t.Errorf("%s: the screen does not say %q:\n%s", state, want, r.screen())
			}
		}
		r.keys("c")
		if copied(r) != `{"format":"json"}` {
			t.Errorf("%s: copied %q", state, copied(r))
		}
		r.Told = nil
		r.keys("x ctrl+s esc")
		if _, sent := last[SettleRequested](r); sent || !toldLater(r) {
			t.Errorf("%s: told %v", state, r.Told)
		}
	}
}

// boxed returns the text of the dialog on a screen, without its edges and line breaks.
func boxed(screen string) string {
	var words []string
	for line := range strings.Lines(screen) {
		if from, to := strings.Index(line, "│"), strings.LastIndex(line, "│"); from < to {
			words = append(words, strings.Fields(line[from+len("│"):to])...)
		}
	}
	return strings.Join(words, " ")
}

// TestFormSettledElsewhereWhileItWasSent holds that the form calls only submitted answers
// recorded, and that the sentence fits a small screen.
func TestFormSettledElsewhereWhileItWasSent(t *testing.T) {
	for err, want := range map[error]string{
		&questions.SettledError{}:   "The first answer counts; yours stays on record. c copies it.",
		passing("the disk is full"): "The first answer counts. What you wrote is printed when you close this; c copies it.",
	} {
		r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 40, 20).answerRequired().keys("ctrl+s ctrl+s")
		ask := r.in.Ask
		ask.Outcome = questions.Outcome{State: questions.Answered, By: "you@host", At: tuitest.Moment}
		r.send(Settled{AskID: ask.ID, Err: err}).send(AskChanged{Ask: ask})
		if !strings.Contains(boxed(r.screen()), want) {
			t.Errorf("the screen does not say %q:\n%s", want, r.screen())
		}
	}
}

// In a text, where a is a letter, the offer of the earlier answers names the key that counts there.
func TestTheOfferOfEarlierAnswersNamesAKeyThatCounts(t *testing.T) {
	spec := tuitest.Parse(t, `{"title":"A plan","questions":[{"id":"goal","kind":"longtext","label":"What?"},{"id":"how","kind":"single","label":"How?","options":["Fast","Well"]}]}`)
	in := formInputOf(spec)
	in.EarlierForm = &store.Ask{Outcome: questions.Outcome{State: questions.Answered, At: tuitest.Moment, Reply: questions.Reply{Answers: map[string]questions.Value{"goal": questions.TextValue("A bakery")}}}}
	r := rig(t, in, 80, 24)
	if !strings.Contains(r.screen(), "Press ctrl+r to take those answers over.") {
		t.Errorf("in a text the key of the offer is a letter:\n%s", r.screen())
	}
	if r.keys("tab"); !strings.Contains(r.screen(), "Press a to take those answers over.") {
		t.Errorf("on a choice the key of the offer is another:\n%s", r.screen())
	}
	if r.keys("shift+tab ctrl+r"); r.answersNow() != `{"goal":"A bakery"}` {
		t.Errorf("the key took over %s", r.answersNow())
	}
}

func TestFormPriorAnswersAreTakenOverByOneKey(t *testing.T) {
	spec := tuitest.Parse(t, tuitest.RichForm)
	in := formInputOf(spec)
	in.EarlierForm = &store.Ask{Outcome: questions.Outcome{
		State: questions.Answered, At: tuitest.Moment.AddDate(0, 0, -3),
		Reply: questions.Reply{Answers: map[string]questions.Value{
			"format": questions.TextValue("xml"), "name": questions.TextValue("old.csv"), "go": questions.TextValue("yes"),
		}},
	}}
	r := rig(t, in, 80, 24)
	if !strings.Contains(r.screen(), "You answered this on 17 Nov 14:07. Press a to take those answers over.") {
		t.Errorf("the earlier answer is not offered:\n%s", r.screen())
	}
	if r.answersNow() != `{}` {
		t.Fatal("the earlier answer was taken over by itself")
	}
	r.keys("right 1 a")
	if got := r.answersNow(); got != `{"format":"csv","name":"old.csv","go":"yes"}` {
		t.Errorf("taken over: %s; what was answered now must stay", got)
	}
	if strings.Contains(r.screen(), "takes those answers over") {
		t.Error("it is still offered")
	}
}

// TestNothingOpenTakesNoPriorAnswersOver holds that the form offers earlier answers only if one
// of them answers an open question.
func TestNothingOpenTakesNoPriorAnswersOver(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.EarlierForm = answeredBefore(tuitest.Moment)
	in.Entry = questions.Entry{Fields: map[string]questions.Field{"name": {Text: safe.New("new.csv")}}}
	if r := rig(t, in, 80, 24); strings.Contains(r.screen(), "take those answers over") {
		t.Errorf("an answer that is there is offered:\n%s", r.screen())
	}
	in.Entry = questions.Entry{}
	r := rig(t, in, 80, 24)
	r.q().state.focusQuestion(r.q().state.index("name"), field.Straight)
	r.send(tea.PasteMsg{Content: "new.csv"}).keys("ctrl+r")
	if !strings.Contains(r.screen(), "None of the open questions was answered before.") || r.answersNow() != `{"name":"new.csv"}` {
		t.Errorf("%s\n%s", r.answersNow(), r.screen())
	}
}

func TestFormCarriedAnswersAreMarked(t *testing.T) {
	spec := tuitest.Parse(t, tuitest.RichForm)
	in := formInputOf(spec)
	in.Carried = true
	in.Entry = questions.Entry{Fields: map[string]questions.Field{"format": {Picked: []string{"xml"}}}}
	r := rig(t, in, 80, 24)
	if !strings.Contains(r.screen(), "These are your answers from before your reply.") || r.answersNow() != `{"format":"xml"}` {
		t.Errorf("%s\n%s", r.answersNow(), r.screen())
	}
}

// TestFormReadOnly holds that a form that can only be read shows its answers, and that keys
// only move about in it.
func TestFormReadOnly(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.ReadOnly = true
	in.Ask.Outcome = questions.Outcome{
		State: questions.Answered, At: tuitest.Moment, By: "you@host",
		Reply: questions.Reply{
			Answers: map[string]questions.Value{
				"format": questions.TextValue("my own"), "why": questions.TextValue("one\ntwo"), "keep": questions.NumberValue(12),
			},
			Notes: map[string]safe.Text{"format": safe.New("a note")},
		},
	}
	r := rig(t, in, 80, 40)
	var seen strings.Builder
	for tab := range r.q().state.tabs {
		r.q().state.goTab(tab)
		r.send(screen.Relaid{})
		seen.WriteString(r.screen())
		r.keys("1 x d n space backspace ctrl+s enter")
	}
	if main := r.q().state.mainButton(); main != buttonSummary {
		t.Errorf("behind the last tab button %d is the main one, want the page with all answers", main)
	}
	for _, want := range []string{"Answered at 14:07 by you@host", "◉ Other: my own", "✎ a note", "12", "(no answer)", "one", "two"} {
		if !strings.Contains(seen.String(), want) {
			t.Errorf("the form does not show %q", want)
		}
	}
	for _, never := range []string{"Submit", "required", "proposed"} {
		if strings.Contains(seen.String(), never) {
			t.Errorf("the form shows %q", never)
		}
	}
	if got := r.answersNow(); got != `{"format":"my own","keep":12,"why":"one\ntwo"}` {
		t.Errorf("keys changed the answers: %s", got)
	}
	for _, msg := range r.Told {
		switch msg.(type) {
		case EntryChanged, SettleRequested:
			t.Errorf("a form to look at told %T", msg)
		}
	}
	if r.keys("esc"); !toldLater(r) {
		t.Error("esc does not close it")
	}
}

// TestFormReadOnlyClosesByTheKeyOfTheScreensAround holds that q closes a form that can only be
// read, as it closes the lists, and does nothing in a form that can be answered.
func TestFormReadOnlyClosesByTheKeyOfTheScreensAround(t *testing.T) {
	for _, readOnly := range []bool{true, false} {
		in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
		in.ReadOnly = readOnly
		for _, size := range [][2]int{{40, 20}, {80, 24}} {
			r := rig(t, in, size[0], size[1]).keys("right")
			if strings.Contains(r.screen(), "q or esc close") != readOnly {
				t.Errorf("read only %v: the footer is wrong about q:\n%s", readOnly, r.screen())
			}
			if r.keys("q"); toldLater(r) != readOnly {
				t.Errorf("read only %v: q closed it: %v", readOnly, toldLater(r))
			}
		}
	}
}

func TestFormReadOnlyOutcomes(t *testing.T) {
	for _, test := range []struct {
		outcome questions.Outcome
		want    string
	}{
		{questions.Outcome{State: questions.Expired, At: tuitest.Moment}, "Not answered in time at 14:07"},
		{questions.Outcome{State: questions.Declined, Message: safe.New("not now")}, "Declined: not now"},
		{questions.Outcome{State: questions.Discuss, Message: safe.New("what?")}, "Replied to without finishing: what?"},
		{questions.Outcome{State: questions.Withdrawn}, "Withdrawn by the agent"},
		{questions.Outcome{State: questions.Pending}, "Not answered yet"},
	} {
		in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
		in.ReadOnly, in.Ask.Outcome = true, test.outcome
		if screen := rig(t, in, 80, 24).screen(); !strings.Contains(screen, test.want) {
			t.Errorf("%s: the screen does not say %q:\n%s", test.outcome.State, test.want, screen)
		}
	}
}

func TestFormCopy(t *testing.T) {
	for keys, want := range map[string]string{
		"y":                    richIntroStart,
		"right down y":         "json",
		"right 4 a esc y":      "a",
		"right n h i ctrl+s y": "hi",
		"end tab tab y":        "Before the export is written",
	} {
		if got := copied(richRig(t).keys(keys)); !strings.HasPrefix(got, want) || got == "" {
			t.Errorf("%s: copied %q, want %q", keys, got, want)
		}
	}
}

const richIntroStart = "## What is there"

func TestFormZoom(t *testing.T) {
	for keys, want := range map[string]string{
		"z":                 "Overview",
		"right z":           "1;20.00",
		"right down z":      `{"id": 1}`,
		"right tab z":       "Which fields?",
		"right down down z": "XML",
		"right down z up":   `{"id": 1}`,
	} {
		r := richRig(t).keys(keys)
		if r.sheet == nil || !strings.Contains(r.screen(), want) {
			t.Errorf("%s: the zoom does not show %q:\n%s", keys, want, r.screen())
			continue
		}
		before := r.where()
		if r.keys("esc"); r.sheet != nil || r.dialog != nil || r.where() != before {
			t.Errorf("%s: esc does not just close it", keys)
		}
	}
}

func TestFormIllustrationFollowsTheCursor(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right")
	if !strings.Contains(r.screen(), "1;20.00") {
		t.Errorf("the first option's illustration is not shown:\n%s", r.screen())
	}
	r.Form.Update(tuitest.Key(t, "down")) // without running commands: it must be there already
	if !strings.Contains(r.screen(), `{"id": 1}`) {
		t.Errorf("the next option's illustration was not rendered ahead:\n%s", r.screen())
	}
}

// TestFormAbsentRendering holds that a form works before anything is rendered. The place of a
// text stays empty for as long as most texts take: its source would flicker there, and be sent
// over a slow line for nothing.
func TestFormAbsentRendering(t *testing.T) {
	r := richRig(t)
	r.q().docs.Reset(r.q().host.Look().Markdown.WithPalette(themes.Default(false).Palette))
	cmds, _ := r.Form.Update(tuitest.Key(t, "home"))().(tea.BatchMsg)
	if screen := r.screen(); strings.Contains(screen, "Orders leave") || !strings.Contains(screen, "Next ›") {
		t.Errorf("the introduction is there already, or its form is not:\n%s", screen)
	}
	if len(cmds) != 2 {
		t.Fatalf("%d commands were begun, not one that renders and one that says when that takes long", len(cmds))
	}
	late := cmds[1]()
	r.send(late)
	if !strings.Contains(r.screen(), "Orders leave as **CSV**") {
		t.Errorf("the introduction is not there as plain text:\n%s", r.screen())
	}
	r.send(cmds[0]())
	r.send(late) // which came too late itself
	if screen := r.screen(); !strings.Contains(screen, "Orders leave as CSV") {
		t.Errorf("what was rendered is not there:\n%s", screen)
	}
}

func TestFormExternalEditor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor of this test is a shell script")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("VISUAL", "false") // the environment that is handed in counts
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.Environ = []string{"PATH=" + os.Getenv("PATH"), "VISUAL=", "EDITOR=true", "EDITOR=sed -i s/old/$WITH/", "WITH=new"}
	r := rig(t, in, 80, 24).keys("end").write("old words")
	ready, ok := r.openEditor()().(EditorReady)
	if !ok || ready.Err != nil {
		t.Fatalf("%+v", ready)
	}
	info, err := os.Stat(ready.Path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file for the editor: %v %v", info, err)
	}
	if out, err := external.EditorProcess(in.Environ, ready.Path).CombinedOutput(); err != nil {
		t.Fatalf("the editor: %v %s", err, out)
	}
	text, err := os.ReadFile(ready.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "Anything else?") {
		t.Errorf("the file does not say what is asked:\n%s", text)
	}
	r.send(editorDone{form: r.Form, back: ready.back, text: string(text)})
	if got := r.answersNow(); got != `{"why":"new words"}` {
		t.Errorf("after the editor: %s", got)
	}
	r.send(editorDone{form: r.Form, back: ready.back, text: "", err: errors.New("exit status 1")})
	if got := r.answersNow(); got != `{"why":"new words"}` {
		t.Errorf("a failed editor changed the answer: %s", got)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "planb-*")); len(left) != 1 {
		t.Errorf("files for the editor: %v", left)
	}
	r.in.Environ = nil
	if r.keys("ctrl+g"); !strings.Contains(r.screen(), "set $VISUAL or $EDITOR") {
		t.Errorf("without an editor nothing is said:\n%s", r.screen())
	}
}

// TestFormLongPasteIsWholeInTheAnswer holds that a paste shown as one line is in the answer and
// in the entry byte for byte.
func TestFormLongPasteIsWholeInTheAnswer(t *testing.T) {
	blob := base64.StdEncoding.EncodeToString(make([]byte, 600<<10))
	r := richRig(t).keys("end").write("log: ").send(tea.PasteMsg{Content: blob})
	if !strings.Contains(r.screen(), "[pasted 800 KB]") {
		t.Errorf("the paste is not shown as one line:\n%s", r.screen())
	}
	if got, _ := r.q().state.answers().reply.Answers["why"].Text(); got != "log: "+blob {
		t.Errorf("the answer has %d bytes, want %d", len(got), len(blob)+5)
	}
	in := formInputOf(r.q().state.spec)
	in.Entry = r.Entry()
	if got, _ := rig(t, in, 80, 24).q().state.answers().reply.Answers["why"].Text(); got != "log: "+blob {
		t.Error("the entry did not bring it back")
	}
}

func TestFormUnknownKind(t *testing.T) {
	spec := tuitest.Parse(t, tuitest.RichForm)
	spec.Questions[0].Kind = "hologram"
	r := rig(t, formInputOf(spec), 80, 24).keys("right 1 enter down z esc")
	if !strings.Contains(r.screen(), "needs a newer planb") {
		t.Errorf("%s", r.screen())
	}
}

func TestFormOfOneTabHasNoStrip(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, `{"title":"t","questions":[{"id":"q","kind":"text","label":"What?"},{"id":"p","kind":"text","label":"Why?"}]}`)), 80, 24)
	if screen := r.screen(); strings.Contains(screen, "Questions") || strings.Contains(screen, "Next") {
		t.Errorf("one tab has a strip or a way to others:\n%s", screen)
	}
	if r.keys("up shift+tab"); r.where() != "q" {
		t.Errorf("above the first question is %s", r.where())
	}
	if r.keys("tab tab"); r.where() != "Submit" {
		t.Errorf("after the last question is %s", r.where())
	}
}

func TestFormTellsThePosition(t *testing.T) {
	var lines []string
	for range 60 {
		lines = append(lines, "a paragraph")
	}
	spec := tuitest.Parse(t, tuitest.RichForm)
	spec.Intro = safe.New(strings.Join(lines, "\n\n"))
	r := rig(t, formInputOf(spec), 80, 24)
	if !strings.Contains(r.screen(), "1–18 of 120") {
		t.Errorf("the position is not told:\n%s", r.screen())
	}
	if r.keys("pgdown"); !strings.Contains(r.screen(), "18–35 of 120") {
		t.Errorf("after a page it is wrong:\n%s", r.screen())
	}
	if r.keys("ctrl+d ctrl+u shift+down down up"); !strings.Contains(r.screen(), "19–36 of 120") {
		t.Errorf("after lines it is wrong:\n%s", r.screen())
	}
}

func TestCtrlCTwiceLeavesAFormThatIsRead(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.ReadOnly = true
	r := rig(t, in, 80, 24).keys("ctrl+c ctrl+c")
	if !toldLater(r) {
		t.Error("the form cannot be left by Ctrl+C")
	}
}
