package lines

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/exp/golden"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/ask"
	"planb/tui/editor/external"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// answersPlainly fails unless what is typed answers the form so, and returns what was
// printed.
func answersPlainly(t *testing.T, spec questions.Spec, want string, typed ...string) string {
	t.Helper()
	w := newWorld(t)
	session := w.Session("S", "")
	ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Client: session.Client, Timeout: time.Hour, Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	result, out := w.plainly(ask, typed...)
	if got := string(spec.AnswersJSON(result.Ask.Outcome.Reply)); got != want || result.Settled != 1 {
		t.Errorf("the answers are %s, want %s\n%s", got, want, out)
	}
	return out
}

// Every kind of question is answered in plain lines with the results of the form
// that is drawn, and what is printed can be read out.
func TestFormInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	result, out := w.plainly(w.Rich(""),
		"9", "JSON", // format: no option, then one by its name
		"1 3",                    // fields
		"/back", "/clear", "3,1", // and once more
		"",             // name: required, left open
		"/proposed",    // time
		"thirty", "30", // keep
		"4",                                                    // mood
		"Line one", "  indented", "..", "//not a command", ".", // why
		"yes", // go
		"3", "/note", "Ask the bank.", "", "send",
		"//etc/orders.csv", "send")
	if result.Ask.Outcome.State != questions.Answered || result.Settled != 1 {
		t.Fatalf("the outcome is %+v\n%s", result.Ask.Outcome, out)
	}
	golden.RequireEqual(t, []byte(out+"\n\n"+string(result.Ask.Spec.AnswersJSON(w.Stored(result.Ask.ID).Outcome.Reply))+"\n"))
}

func TestChoicesInPlainLines(t *testing.T) {
	t.Parallel()
	spec := tuitest.Parse(t, `{"title":"T","questions":[
	 {"id":"one","kind":"single","label":"One?","options":["red","green"]},
	 {"id":"many","kind":"multi","label":"Many?","options":["a","b","c"]},
	 {"id":"none","kind":"multi","label":"None?","options":["a","b"],"other":false}]}`)
	for _, test := range []struct {
		name, want string
		typed      []string
	}{
		{"numbers", `{"one":"green","many":["a","c"]}`, []string{"2", "3 1", "", "send"}},
		{"several names", `{"many":["a","c"]}`, []string{"", "c, A", "", "send"}},
		{"names, whatever their case", `{"one":"red","many":["b"]}`, []string{"RED", "B", "", "send"}},
		{"own words", `{"one":"blue","many":["a","z"]}`, []string{"3", "blue", "1, 4", "z", "", "send"}},
		{"own words that are none", `{"one":"red"}`, []string{"3", "", "1", "", "", "send"}},
		{"all, and none", `{"many":["a","b","c"]}`, []string{"", "all", "none", "send"}},
		{"not two of one", `{"one":"red"}`, []string{"1 2", "1", "", "", "send"}},
		{"no such number", `{"none":["b"]}`, []string{"7", "", "", "3", "0", "2", "send"}},
		{"changed at the end", `{"one":"green"}`, []string{"1", "", "", "1", "2", "send"}},
		{"taken back", `{}`, []string{"1", "/back", "/clear", "", "", "", "send"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			answersPlainly(t, spec, test.want, test.typed...)
		})
	}
}

// A comma is a decimal point to some people and parts the thousands to others. Where both readings are
// points of a scale, the person has to say which one they mean.
func TestCommaInANumberInPlainLines(t *testing.T) {
	t.Parallel()
	const scale = `{"title":"T","questions":[{"id":"n","kind":"scale","label":"How many?","min":0,"max":5000,"step":%s}]}`
	for _, test := range []struct {
		step, want string
		typed      []string
	}{
		{"0.5", `{"n":2.5}`, []string{"2,5", "send"}},
		{"1", `{"n":1000}`, []string{"1,000", "1000", "send"}},
		{"1", `{}`, []string{"1,000", "", "send"}},
		{"50", `{"n":1050}`, []string{"1,050", "send"}},
	} {
		answersPlainly(t, tuitest.Parse(t, fmt.Sprintf(scale, test.step)), test.want, test.typed...)
	}
}

func TestOutcomesInPlainLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		typed   []string
		state   questions.State
		message string
	}{
		{"declined", []string{"/decline", "not mine", "yes"}, questions.Declined, "not mine"},
		{"declined without a reason", []string{"/decline", "", "y"}, questions.Declined, ""},
		{"declined, or not", []string{"/decline", "", "no", "/later"}, questions.Pending, ""},
		{"replied to", []string{"Vega", "reply", "What for?"}, questions.Discuss, "What for?"},
		{"replied to at once", []string{"/reply What for?"}, questions.Discuss, "What for?"},
		{"put off", []string{"Vega", "later"}, questions.Pending, ""},
		{"left", []string{"Vega"}, questions.Pending, ""},
		{"sent too early", []string{"/send", "Vega", "send"}, questions.Answered, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			ask := w.Ask(w.Session("Names", "/home/you/ships"), "The new ship", "")
			_, out := w.plainly(ask, test.typed...)
			got := w.Stored(ask.ID).Outcome
			if got.State != test.state || got.Message.Raw() != test.message {
				t.Errorf("the outcome is %+v\n%s", got, out)
			}
			if back := strings.Contains(out, "planb tui ask "+store.ShortID(ask.ID)); back != (test.state == questions.Pending) {
				t.Errorf("printed was\n%s", out)
			}
			if !w.Unshown(ask) {
				t.Error("the claim was not given back")
			}
		})
	}
}

// Whoever leaves, even in the middle of a text, finds it again.
func TestFormInPlainLinesIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Rich("")
	w.plainly(ask, "2", "/go 7", "half a")
	_, out := w.plainly(ask)
	prints(t, out, "2 questions answered earlier", "Question 7 of 8", "Answered so far: half a")
}

// What comes up unasked takes no line that was meant for something else, and one
// form comes after the other.
func TestQueueInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	place := "tmux:1:@1"
	first, second, third := w.Ask(session, "First", place), w.Ask(session, "Second", place), w.Ask(session, "Third", place)
	var out bytes.Buffer
	result, err := Ask(t.Context(), AskOptions{Store: w.Store, Place: place, ByItself: true, Bell: true, By: "you@desk", Now: w.Clock,
		Terminal: screen.Terminal{Output: &out, Environ: []string{"TERM=dumb"},
			Input: strings.NewReader("rm -rf /tmp/x\nanswer\nVega\nsend\nlater\nanswer\nRigel\nsend\n")}})
	if err != nil || result.Settled != 2 || result.Ask.ID != first.ID {
		t.Fatalf("%+v, %v\n%s", result, err, out.String())
	}
	for ask, want := range map[string]string{first.ID: "Vega", second.ID: "", third.ID: "Rigel"} {
		if got, _ := w.Stored(ask).Outcome.Reply.Answers["name"].Text(); got != want {
			t.Errorf("an answer is %q, want %q\n%s", got, want, out.String())
		}
	}
	if strings.Count(out.String(), screen.BEL) != 1 || !strings.Contains(result.Receipt, "2 forms done") || !strings.Contains(out.String(), "3 forms wait here.") {
		t.Errorf("the receipt is %q, printed was\n%q", result.Receipt, out.String())
	}
	if !w.Free(store.PlaceClaim(place)) {
		t.Error("the place was not given back")
	}
}

// All of one agent can be put off in lines, too; another agent's form comes next.
func TestAllOfAnAgentIsPutOffInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const place = "tmux:1:@1"
	loud := w.Session("Names", "/home/you/ships")
	quiet := tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{Client: store.Client{Title: safe.New("Gemini")}}))
	first := w.Ask(loud, "First", place)
	w.Ask(loud, "Second", place)
	third := w.Ask(quiet, "Third", place)
	var out bytes.Buffer
	result, err := Ask(t.Context(), AskOptions{Store: w.Store, ID: first.ID, Place: place, ByItself: true, By: "you@desk", Now: w.Clock,
		Terminal: screen.Terminal{Output: &out, Environ: []string{"TERM=dumb"}, Input: strings.NewReader("later all\nanswer\nRigel\nsend\n")}})
	if err != nil || result.Settled != 1 || w.Stored(third.ID).Open() {
		t.Fatalf("%+v, %v\n%s", result, err, out.String())
	}
	prints(t, out.String(), "later all to put off all from Claude Code:")
	if off, err := w.Store.PutOffs(t.Context(), place); err != nil || !off.Place {
		t.Errorf("the place is put off: %v, %v", off.Place, err)
	}
}

// An ask that ends while it is being answered is said to have; what was entered
// stays on its record.
func TestAskEndsDuringPlainLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Rich("")
		in, typing := io.Pipe()
		t.Cleanup(func() { _ = typing.Close() })
		p := &typist{t: t, in: typing}
		ended := make(chan error, 1)
		go func() {
			_, err := Ask(t.Context(), AskOptions{Store: w.Store, ID: ask.ID, By: "you@desk", Now: w.Clock,
				Terminal: screen.Terminal{Input: in, Output: p, Environ: []string{"ACCESSIBLE=1"}}})
			ended <- err
		}()
		p.answers("A number from 1 to 4:", "2")
		tuitest.Poll(t, "the next question", func() bool { return strings.Contains(p.printed(), "Question 2 of 8") })
		if _, err := w.User("agent").Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Withdrawn, At: w.Now}); err != nil {
			t.Fatal(err)
		}
		p.answers("Press Enter to go on:", "rm -r build") // meant for the question, and not for the shell
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if out := p.printed(); !strings.Contains(out, "Not sent: the agent took the question back.") || !strings.Contains(out, `"format":"json"`) {
			t.Errorf("printed was\n%s", out)
		}
		if late := w.Stored(ask.ID).TooLate; len(late) != 1 || late[0].Reply.Answers["format"].IsZero() {
			t.Errorf("kept was %+v", late)
		}
	})
}

func TestEarlierAnswersInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	first := w.Ask(session, "The new ship", "")
	w.plainly(first, "Vega", "send")
	if err := w.Store.Deliver(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	again := w.Ask(session, "The new ship", "")
	result, out := w.plainly(again, "/before", "send")
	if name, _ := result.Ask.Outcome.Reply.Answers["name"].Text(); name != "Vega" {
		t.Errorf("the answer is %q\n%s", name, out)
	}
}

// A note on a question that was left open comes along, and no answer is told of it.
func TestNotesAreNotCountedAsAnswersInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	spec := tuitest.Parse(t, `{"title":"T","questions":[{"id":"a","kind":"text","label":"a"},{"id":"b","kind":"text","label":"b"}]}`)
	open := func() store.Ask {
		ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec, Timeout: time.Hour, Client: session.Client})
		if err != nil {
			t.Fatal(err)
		}
		return ask
	}
	first := open()
	w.plainly(first, "Vega", "/note ask me later", "", "send")
	if err := w.Store.Deliver(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	result, out := w.plainly(open(), "/before", "send")
	prints(t, out, "1 earlier answer taken over.")
	if note := result.Ask.Outcome.Reply.Notes["b"]; note.Raw() != "ask me later" {
		t.Errorf("the note is %q\n%s", note.Raw(), out)
	}
}

func TestEditorInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	ask := w.Ask(session, "The new ship", "")
	if got, out := editing(t, w, ask, "Rigel", "/edit\nsend\n"); got != `{"name":"Rigel"}` {
		t.Errorf("the answers are %s\n%s", got, out)
	}
	spec := tuitest.Parse(t, `{"title":"T","questions":[{"id":"one","kind":"single","label":"One?","options":["red"]}]}`)
	ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec, Timeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if got, out := editing(t, w, ask, "light\nblue", "2\n/edit\nsend\n"); got != `{"one":"light blue"}` {
		t.Errorf("the answers are %s\n%s", got, out)
	}
}

// editing has an ask answered by a person whose editor writes some text, and returns the answers.
func editing(t *testing.T, w *world, asked store.Ask, writes, typed string) (answers, out string) {
	t.Helper()
	script := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ncat >\"$1\" <<end\n"+writes+"\nend\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	result, err := Ask(t.Context(), AskOptions{Store: w.Store, ID: asked.ID, By: "you@desk", Now: w.Clock, Terminal: screen.Terminal{
		Input: strings.NewReader(typed), Output: &printed, Environ: append(os.Environ(), "ACCESSIBLE=1", "VISUAL="+script),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return string(asked.Spec.AnswersJSON(result.Ask.Outcome.Reply)), printed.String()
}

// Nothing an agent sends reaches the terminal as it is.
func TestEvilFormInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("S", "/tmp/\x1b[2J")
	spec := tuitest.Parse(t, `{"title":"T\u001b]0;x\u0007","intro":"i\u009b2J","questions":[
	 {"id":"a","kind":"single","label":"L\u001b[2J","description":"\u202e","options":[{"value":"v\u001b[2J","description":"d\u001b","markdown":"m\u001b[2J"}],"default":"v\u001b[2J"},
	 {"id":"b","kind":"text","label":"b"}]}`)
	ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec, Timeout: time.Hour, Client: store.Client{Name: safe.New("\x1b[2J")}})
	if err != nil {
		t.Fatal(err)
	}
	_, out := w.plainly(ask, "/show 1", "/proposed", "x\x1b[2J", "/decline \x1b[2J", "yes")
	for _, evil := range []string{"\x1b", "\u009b", "\u202e", "\a"} {
		if strings.Contains(out, evil) {
			t.Errorf("%q is printed:\n%q", evil, out)
		}
	}
}

func TestUnknownKindInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("S", "")
	spec := tuitest.Parse(t, `{"title":"T","questions":[{"id":"a","kind":"text","label":"a"},{"id":"b","kind":"text","label":"b"}]}`)
	f := newForm(newTalk(t.Context(), screen.Terminal{Output: io.Discard, Input: strings.NewReader("x\n\ny\nsend\n")}),
		input{Input: ask.Input{Ask: store.Ask{Session: session.ID, Spec: spec}}}, func(questions.Entry) error { return nil })
	f.spec.Questions[0].Kind = "drawing"
	outcome, err := f.converse()
	if got := string(spec.AnswersJSON(outcome.Reply)); err != nil || got != `{"b":"y"}` {
		t.Errorf("the answers are %s, %v", got, err)
	}
}

// What was answered in another session of the project is told with the question, and
// taken over by a word.
func TestEarlierAnswerInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.Ask(w.Session("Names", "/home/you/ships"), "The new ship", "")
	w.plainly(first, "Vega", "send")
	spec := tuitest.Parse(t, `{"title":"Another form","questions":[{"id":"x","kind":"text","label":"what is it called"},{"id":"y","kind":"text","label":"Why?"}]}`)
	session := w.Session("Later", "/home/you/ships")
	again, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec, Timeout: time.Hour, Client: session.Client})
	if err != nil {
		t.Fatal(err)
	}
	result, out := w.plainly(again, "/before", "/before", "", "send")
	if got := string(spec.AnswersJSON(result.Ask.Outcome.Reply)); got != `{"x":"Vega"}` {
		t.Errorf("the answers are %s\n%s", got, out)
	}
	prints(t, out, "Answered before, just now, Names: Vega; /before takes it.", "This question was not answered before.")
}

// A line that was printed cannot be changed: the question waits until earlier answers
// were looked for, however slow the store is.
func TestEarlierAnswersAreWaitedForInPlainLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		spec := tuitest.Parse(t, `{"title":"T","questions":[{"id":"a","kind":"text","label":"a"}]}`)
		found := make(chan map[string]store.EarlierAnswer, 1)
		time.AfterFunc(time.Second, func() {
			found <- map[string]store.EarlierAnswer{"a": {
				Session: store.Session{Title: safe.New("Names")}, Question: spec.Questions[0], Answer: questions.TextValue("Vega"),
			}}
		})
		var out strings.Builder
		f := newForm(newTalk(t.Context(), screen.Terminal{Output: &out, Input: strings.NewReader("/before\nsend\n")}),
			input{Now: time.Now, Input: ask.Input{Ask: store.Ask{Spec: spec}, Recalling: found}}, func(questions.Entry) error { return nil })
		outcome, err := f.converse()
		if got := string(spec.AnswersJSON(outcome.Reply)); err != nil || got != `{"a":"Vega"}` {
			t.Errorf("the answers are %s, %v\n%s", got, err, out.String())
		}
		prints(t, out.String(), "Answered before, ", "Names: Vega; /before takes it.")
	})
}

// A text that gets a capital letter is cut between characters: half of one can begin
// a command of the terminal.
func TestNamesArePrintedInWholeCharacters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Names", "")
		asked, _, err := w.Store.OpenAsk(t.Context(), store.Ask{
			Session: session.ID, Timeout: time.Hour, Client: store.Client{Name: safe.New("û2J agent")},
			Spec: tuitest.Parse(t, `{"title":"T","questions":[{"id":"a","kind":"text","label":"a"}]}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		waits := w.Hold(store.WaitClaim(asked.ID, "server"))
		lines := w.inLines(AskOptions{ID: asked.ID})
		tuitest.Poll(t, "the question", func() bool { return strings.Contains(lines.printed(), "Question 1 of 1") })
		if err := waits.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		tuitest.Poll(t, "the end of the waiting", func() bool { return strings.Contains(lines.printed(), "stopped waiting") })
		lines.answers("stopped waiting", "/later")
		<-lines.result
		if out := lines.printed(); !utf8.ValidString(out) || !strings.Contains(out, "Û2J agent stopped waiting") {
			t.Errorf("printed was\n%q", out)
		}
	})
}

// A text that a killed conversation left in the editor is told of, but not while another
// pane, whose editor may be at work, shows the ask.
func TestWhatAnEditorWroteIsToldOfInPlainLines(t *testing.T) {
	w := newWorld(t)
	t.Setenv("TMPDIR", t.TempDir())
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	left, err := external.Write(ask.ID, "Veg\n")
	if err == nil {
		err = os.WriteFile(left, []byte("Vega\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, out := w.plainly(ask, "/later"); !strings.Contains(out, left) {
		t.Errorf("it says nothing of %s:\n%s", left, out)
	}
	w.Hold(store.ShowClaim(ask.ID, "pane"))
	if _, out := w.plainly(ask, "/later"); strings.Contains(out, "Your editor") {
		t.Errorf("beside another pane it says\n%s", out)
	}
}
