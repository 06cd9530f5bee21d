package form

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/runs"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// answerRequired answers what tuitest.RichForm requires: format, name and go.
func (r *formRig) answerRequired() *formRig {
	r.t.Helper()
	return r.keys("right 1 alt+right o alt+right tab 1")
}

func TestFormSubmitGoesToWhatIsRequired(t *testing.T) {
	r := richRig(t).keys("end tab 1 home ctrl+s")
	if _, sent := last[SettleRequested](r); sent {
		t.Fatal("a form with open required questions was sent")
	}
	if got := r.where(); got != "format/csv" {
		t.Errorf("the focus is on %s, want the first required question", got)
	}
	screen := r.screen()
	for _, want := range []string{"An answer is required.", "Not submitted: answers are missing.", "● 2 required"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the screen does not say %q:\n%s", want, screen)
		}
	}
	if r.keys("1"); strings.Contains(r.screen(), "An answer is required.") {
		t.Error("the question still complains after its answer")
	}
}

func TestFormSubmitShowsOpenOptionalQuestionsFirst(t *testing.T) {
	r := richRig(t).answerRequired().keys("ctrl+s")
	if _, sent := last[SettleRequested](r); sent {
		t.Fatal("open optional questions were not shown first")
	}
	for _, want := range []string{"3 of 8 answered, 5 open", "enter submit, 5 open", "Which fields?", "open; proposed: id · total"} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("the screen does not say %q:\n%s", want, r.screen())
		}
	}
	r.keys("ctrl+s")
	msg, sent := last[SettleRequested](r)
	if !sent || msg.AskID != "the-ask" || msg.Outcome.State != questions.Answered {
		t.Fatalf("after the second ctrl+s: %+v", msg)
	}
	if got := string(r.q().state.spec.AnswersJSON(msg.Outcome.Reply)); got != `{"format":"csv","name":"o","go":"yes"}` {
		t.Errorf("sent %s", got)
	}
}

func TestFormGoneBackToShowsThemAgain(t *testing.T) {
	r := richRig(t).answerRequired().keys("ctrl+s esc backspace 1 ctrl+s")
	if _, sent := last[SettleRequested](r); sent {
		t.Error("what was shown before an answer changed was taken for shown")
	}
}

func TestFormSubmitFromEveryTabByItsButton(t *testing.T) {
	for tab := range 4 {
		r := richRig(t).answerRequired().keys("alt+left alt+left alt+left").keys(strings.Repeat("alt+right ", tab))
		r.q().state.enterFooter(buttonSubmit)
		r.keys("enter enter")
		if _, sent := last[SettleRequested](r); !sent {
			t.Errorf("tab %d: Submit did not send", tab)
		}
	}
}

// failedRig is a form whose answers could not be stored.
func failedRig(t *testing.T) *formRig {
	r := richRig(t).answerRequired().keys("ctrl+s ctrl+s")
	r.send(Settled{AskID: "the-ask", Err: passing("the disk is full")}).enter()
	r.Told = nil
	return r
}

// resent has the form send again what its holder could not store.
func (r *formRig) resent() (questions.Outcome, bool) {
	r.Told = nil
	r.Run(r.Resend())
	asked, ok := last[SettleRequested](r)
	return asked.Outcome, ok
}

func TestFormSendsAgainByItself(t *testing.T) {
	r := failedRig(t).keys("down")
	if o, ok := r.resent(); !ok || o.State != questions.Answered || string(r.q().state.spec.AnswersJSON(o.Reply)) != r.answersNow() {
		t.Fatalf("sent again: %v, %+v", ok, o)
	}
	r.send(Settled{AskID: "the-ask", Err: passing("now it is read-only")})
	if screen := r.screen(); r.dialog.At != 1 || strings.Contains(screen, "disk is full") || !strings.Contains(screen, "now it is read-only") {
		t.Errorf("after another failure the focus is on %d:\n%s", r.dialog.At, screen)
	}
	r.resent()
	if r.keys("c"); copied(r) != r.answersNow() {
		t.Errorf("while it is sent again, copied %q", copied(r))
	}
	r.send(Settled{AskID: "the-ask"})
	if screen := r.screen(); !r.Ended() || !strings.Contains(screen, "Sent") || strings.Contains(screen, "Not sent") {
		t.Errorf("it got through, and the screen says:\n%s", screen)
	}
	if _, ok := r.resent(); ok {
		t.Error("what was sent is sent again")
	}
}

func TestFormPrintsWhatMayHaveBeenSent(t *testing.T) {
	r := failedRig(t)
	r.resent()
	r.keys("p")
	if quit, ok := last[screen.Quit](r); !ok || !strings.HasPrefix(quit.Notice, "planb: perhaps not sent; your answers: "+r.answersNow()) {
		t.Errorf("leaving prints %q", quit.Notice)
	}
}

// TestFormGivesAllThatWasNotSent holds that copied, printed and saved answers have the notes
// and the message with them.
func TestFormGivesAllThatWasNotSent(t *testing.T) {
	r := richRig(t).answerRequired()
	r.keepNote("on all\nof it")
	r.q().state.controls[0].note.SetText("on the first")
	r.q().state.touch()
	r.keys("esc m").write("my message").keys("ctrl+s")
	r.send(Settled{AskID: "the-ask", Err: passing("the disk is full")}).enter().keys("c")
	first := r.q().state.controls[0].q.ID
	parts := []string{r.answersNow(), "note on " + first + ": on the first", "note on the whole form: on all\nof it", "message: my message"}
	if got, want := copied(r), strings.Join(parts, "\n"); got != want {
		t.Errorf("copied %q, want %q", got, want)
	}
	r.keys("p")
	parts[2] = safe.New(parts[2]).Line()
	if quit, ok := last[screen.Quit](r); !ok || quit.Notice != "planb: not sent; your answers: "+strings.Join(parts, "; ") {
		t.Errorf("leaving prints %q", quit.Notice)
	}
}

// TestFormGoneBackToSendsNothingByItself holds that a form is not sent again while the person
// changes it, and that no dialog comes up while they type.
func TestFormGoneBackToSendsNothingByItself(t *testing.T) {
	r := failedRig(t).keys("esc")
	if _, ok := r.resent(); ok || r.dialog != nil {
		t.Errorf("a form that was gone back to is sent by itself: %v", ok)
	}
	r = failedRig(t)
	r.resent()
	before := r.answersNow()
	if r.keys("b backspace"); r.answersNow() != before {
		t.Errorf("keys changed what is being sent: %s", r.answersNow())
	}
	r.send(Settled{AskID: "the-ask", Err: passing("still full")})
	if r.dialog != nil {
		t.Errorf("the dialog is back:\n%s", r.screen())
	}
	r.keys("ctrl+s ctrl+s").send(Settled{AskID: "the-ask", Err: passing("still full")}).enter()
	if !r.unsentShown() {
		t.Errorf("sent by hand, the failure is not said:\n%s", r.screen())
	}
	if r.keys("b backspace"); r.answersNow() == before {
		t.Error("the form takes no keys after it was gone back to")
	}
}

func TestFormSendingTakesNoKeys(t *testing.T) {
	r := richRig(t).answerRequired().keys("ctrl+s ctrl+s backspace x esc")
	if got := r.answersNow(); got != `{"format":"csv","name":"o","go":"yes"}` || r.dialog != nil {
		t.Errorf("while sending, keys changed something: %s", got)
	}
	if !strings.Contains(r.screen(), "Sending …") {
		t.Errorf("the screen does not say that it sends:\n%s", r.screen())
	}
}

func TestFormFailedSendingKeepsEverything(t *testing.T) {
	r := richRig(t).answerRequired().keys("ctrl+s ctrl+s")
	r.send(Settled{AskID: "the-ask", Err: passing("the disk is full: free 1 MB, then try again")}).enter()
	drawn := r.screen()
	for _, want := range []string{"Not sent yet", "the disk is full", "Try again", "Copy the answers", "Leave and print"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("the screen does not say %q:\n%s", want, drawn)
		}
	}
	r.Told = nil
	if r.keys("r"); len(r.Told) != 1 {
		t.Errorf("try again told %v", r.Told)
	}
	r.send(Settled{AskID: "the-ask", Err: passing("still full")}).enter().keys("c")
	if got := copied(r); got != `{"format":"csv","name":"o","go":"yes"}` {
		t.Errorf("copied %q", got)
	}
	r.keys("p")
	quit, ok := last[screen.Quit](r)
	if !ok || !strings.Contains(quit.Notice, `{"format":"csv","name":"o","go":"yes"}`) || strings.Contains(quit.Notice, "\n") {
		t.Errorf("leaving prints %q", quit.Notice)
	}
	r.keys("b")
	if r.dialog != nil || r.answersNow() != `{"format":"csv","name":"o","go":"yes"}` {
		t.Error("back to the form lost something")
	}
}

// copied returns the text that the form put into the clipboard.
func copied(r *formRig) string {
	for i := len(r.Told) - 1; i >= 0; i-- {
		if fmt.Sprintf("%T", r.Told[i]) == "tea.setClipboardMsg" {
			return fmt.Sprint(r.Told[i])
		}
	}
	return ""
}

func TestFormSent(t *testing.T) {
	r := richRig(t).answerRequired().keys("ctrl+s ctrl+s")
	done := r.in.Ask
	done.Outcome = r.outbox.outcome
	r.send(Settled{AskID: "another", Ask: done})
	if r.stage != sending {
		t.Fatal("another ask's message ended this one")
	}
	r.send(Settled{AskID: "the-ask", Ask: done})
	if screen := r.screen(); !strings.Contains(screen, "3 answers for Claude Code.") {
		t.Errorf("the end does not say what was sent:\n%s", screen)
	}
	r.Told = nil
	r.keys("x enter")
	if _, closed := last[LaterRequested](r); !closed {
		t.Error("enter does not close the form")
	}
}

func TestFormMenu(t *testing.T) {
	t.Parallel()
	tests := []struct {
		keys string
		ok   func(*formRig) bool
	}{
		{"esc", func(r *formRig) bool { return r.dialog != nil }},
		{"ctrl+c", func(r *formRig) bool { return r.dialog != nil }},
		{"esc esc", func(r *formRig) bool { return r.dialog == nil && len(r.Told) == 0 }},
		{"esc k", func(r *formRig) bool { return r.dialog == nil && len(r.Told) == 0 }},
		{"esc l", toldLater}, {"esc alt+l", toldLater}, {"alt+l", toldLater}, {"esc down down enter", toldLater},
		{"ctrl+c ctrl+c", toldLater},
		{"esc alt+d", func(r *formRig) bool { return r.dialog.Title == "Decline" }},
		{"alt+d", func(r *formRig) bool { return r.dialog.Title == "Decline" }},
		{"alt+q", func(r *formRig) bool { return r.dialog != nil && r.dialog.Title == "Menu" }},
		{"esc ?", func(r *formRig) bool { _, help := r.sheet.page.(*helpPage); return help }},
		{"esc t", func(r *formRig) bool { _, ok := last[screen.SwitchTheme](r); return ok && r.dialog == nil }},
		{"esc y", func(r *formRig) bool {
			return copied(r) == "" && strings.Contains(r.screen(), "There is no answer to copy.")
		}},
		{"right 1 esc y", func(r *formRig) bool { return copied(r) == `{"format":"csv"}` }},
		{"esc up enter", func(r *formRig) bool { return r.sheet != nil }},
	}
	for _, test := range tests {
		if r := richRig(t).keys(test.keys); !test.ok(r) {
			t.Errorf("%s: %v\n%s", test.keys, r.Told, r.screen())
		}
	}
}

func toldLater(r *formRig) bool {
	msg, ok := last[LaterRequested](r)
	return ok && msg.AskID == "the-ask"
}

func TestFormReplyWithoutFinishing(t *testing.T) {
	r := richRig(t).keys("right 1 esc m ctrl+s")
	if _, sent := last[SettleRequested](r); sent || !strings.Contains(r.screen(), "write a line first") {
		t.Fatalf("an empty message was sent, or nothing was said:\n%s", r.screen())
	}
	r.write("what is XML for?").keys("esc")
	if r.dialog != nil {
		t.Fatal("esc did not close the message")
	}
	r.keys("esc m ctrl+s") // the message is still there
	msg, sent := last[SettleRequested](r)
	if !sent || msg.Outcome.State != questions.Discuss || msg.Outcome.Message.Raw() != "what is XML for?" {
		t.Fatalf("sent %+v", msg)
	}
	if got := string(r.q().state.spec.AnswersJSON(msg.Outcome.Reply)); got != `{"format":"csv"}` {
		t.Errorf("the answers so far are %s", got)
	}
}

func TestFormDecline(t *testing.T) {
	for reason, keys := range map[string]string{"": "esc d ctrl+s", "no time": "esc d n o space t i m e ctrl+s"} {
		r := richRig(t).keys("right 1").keys(keys)
		msg, sent := last[SettleRequested](r)
		if !sent || msg.Outcome.State != questions.Declined || msg.Outcome.Message.Raw() != reason {
			t.Errorf("%s: sent %+v", keys, msg)
		}
	}
}

// A person who declines a draft's form reads before that the draft stops with it.
func TestFormDeclineOfADraft(t *testing.T) {
	const stops = "The draft stops with it; planb draft resume lets it go on."
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	for kind, want := range map[string]bool{"": false, runs.SubjectKind: true} {
		in.Ask.Subject.Kind = kind
		r := rig(t, in, 80, 24).keys("esc d")
		if got := slices.Contains(r.dialog.Says, stops); got != want {
			t.Errorf("about %q it says %q", kind, r.dialog.Says)
		}
	}
}

// TestFormKeepsWhatIsNotSentYet holds that a message, a reason and a note are part of the entry
// from their first letter on and come back with it, and that a notice tells of an unsent
// message.
func TestFormKeepsWhatIsNotSentYet(t *testing.T) {
	t.Parallel()
	for keys, kept := range map[string]func(questions.Entry) safe.Text{
		"esc m": func(d questions.Entry) safe.Text { return d.Message },
		"esc d": func(d questions.Entry) safe.Text { return d.Message },
		"esc N": func(d questions.Entry) safe.Text { return d.Note },
	} {
		r := richRig(t).keys("right 1").keys(keys).write("what is XML").send(tea.PasteMsg{Content: " for?"})
		told, _ := last[EntryChanged](r)
		if got := kept(told.Entry).Raw(); got != "what is XML for?" {
			t.Fatalf("%s: before it is closed the entry holds %q", keys, got)
		}
		if strings.Contains(r.screen(), "Not sent") {
			t.Errorf("%s: what is on the screen is told of again:\n%s", keys, r.screen())
		}
		in := formInputOf(r.q().state.spec)
		in.Entry = told.Entry
		again := rig(t, in, 80, 24)
		if !strings.Contains(again.screen(), "what is XML for?") {
			t.Errorf("%s: the form does not say that it came back:\n%s", keys, again.screen())
		}
		if again.keys(keys); again.dialog.Input.Text() != "what is XML for?" {
			t.Errorf("%s: came back as %q", keys, again.dialog.Input.Text())
		}
	}
	r := richRig(t).answerRequired().keys("ctrl+s right enter").write("x").keys("backspace esc ctrl+s")
	if _, sent := last[SettleRequested](r); !sent {
		t.Error("a message begun and given up has open questions shown again")
	}
	if got := r.Entry().Message; !got.IsZero() {
		t.Errorf("and left %q", got.Raw())
	}
}

func TestFormNoteOnTheWholeForm(t *testing.T) {
	r := richRig(t).keys("esc N").write("in a hurry").keys("ctrl+s")
	if got := r.reply().Note.Raw(); got != "in a hurry" {
		t.Errorf("the note is %q", got)
	}
	if _, ok := last[EntryChanged](r); !ok || !strings.Contains(r.screen(), "in a hurry") {
		t.Errorf("the note is not saved or not shown:\n%s", r.screen())
	}
}

func TestFormEntries(t *testing.T) {
	r := richRig(t).keys("right down up")
	if msg, ok := last[EntryChanged](r); ok {
		t.Errorf("looking around changed the entry: %+v", msg)
	}
	r.keys("2 n").write("hm").keys("ctrl+s alt+right").write("a b")
	msg, _ := last[EntryChanged](r)
	if msg.AskID != "the-ask" {
		t.Fatalf("no entry was told of")
	}
	in := formInputOf(r.q().state.spec)
	in.Entry = msg.Entry
	again := rig(t, in, 80, 24)
	if got := again.answersNow(); got != `{"format":"json","name":"a b"}` {
		t.Errorf("the form came back with %s", got)
	}
	if got := again.where(); got != "name" {
		t.Errorf("and with the focus on %s", got)
	}
	r.send(EntrySaved{AskID: "the-ask", Err: errors.New("the disk is full")})
	if !strings.Contains(r.screen(), "the disk is full") {
		t.Error("an entry that can't be saved is not told of")
	}
	if r.send(EntrySaved{AskID: "the-ask"}); strings.Contains(r.screen(), "the disk is full") {
		t.Error("it still is after it could")
	}
}

func TestFormAgentStopsWaiting(t *testing.T) {
	const words = "The agent stopped waiting; your answer will be kept."
	r := richRig(t).send(AgentWaiting{AskID: "another"})
	if strings.Contains(r.screen(), words) {
		t.Error("another ask's agent was taken for this one's")
	}
	if r.send(AgentWaiting{AskID: "the-ask"}); !strings.Contains(r.screen(), words) {
		t.Errorf("nothing is said:\n%s", r.screen())
	}
	if r.send(AgentWaiting{AskID: "the-ask", Waits: true}); strings.Contains(r.screen(), words) {
		t.Error("it is still said when an agent waits again")
	}
}

// TestTheAgentsLeavingMovesNoRow holds that a person who reads or writes finds each row
// where it was when the notice comes, and when it goes.
func TestTheAgentsLeavingMovesNoRow(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {80, 14}, {40, 20}, {40, 10}} {
		r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), size[0], size[1]).keys("right")
		was := r.screen()
		gone := r.send(AgentWaiting{AskID: "the-ask"}).screen()
		rows, told := strings.Split(was, "\n"), 0
		for i, row := range strings.Split(gone, "\n") {
			if strings.Contains(row, "◆ The agent stopped waiting") || strings.Contains(row, "◆ The agent left; your answer is kept") {
				told++
			} else if row != rows[i] {
				t.Errorf("%v: row %d was %q and is %q", size, i, rows[i], row)
			}
		}
		if told != 1 {
			t.Errorf("%v: %d rows say that the agent left:\n%s", size, told, gone)
		}
		if back := r.send(AgentWaiting{AskID: "the-ask", Waits: true}).screen(); back != was {
			t.Errorf("%v: when an agent waits again the form was\n%s\nand is\n%s", size, was, back)
		}
	}
}

func TestFormQueue(t *testing.T) {
	r := richRig(t).send(QueueChanged{At: 2, Of: 3})
	if !strings.Contains(r.screen(), "2 of 3") {
		t.Errorf("the queue is not shown:\n%s", r.screen())
	}
}

// passing is an error of a store that may be over soon.
func passing(what string) error {
	return &kv.Fault{Kind: kv.FaultFull, Path: "planb.db", What: what}
}
