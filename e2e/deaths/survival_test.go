package deaths_test

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store/storetest"
)

// Every test here takes something away while a question waits. The person's answer
// reaches the agent all the same, once and unchanged.

func TestTwoAgentsInOneWindowShareOnePane(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 200, 50)
	home := tm.FirstPane()
	first, second := rig.StartAgent(t, data, tm.Environment(home)), rig.StartAgent(t, data, tm.Environment(home))
	one := first.Start("ask_user", rig.Arguments(t, first.Session("One"), rig.NameForm))
	form := tm.NewPane(home)
	tm.Shows(form, "What shall it be called?")
	two := second.Start("ask_user", rig.Arguments(t, second.Session("Two"), rig.PlaceForm))
	tm.Shows(form, "1 of 2")
	if panes := tm.Panes(); len(panes) != 2 {
		t.Fatalf("one window has the panes %v; the second question needs none of its own", panes)
	}
	tm.Ready(form)
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	if got := one.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the first agent received %q", got)
	}
	tm.Shows(form, "Where shall it run?")
	tm.Ready(form)
	tm.Text(form, "2")
	tm.Keys(form, "C-s")
	if got := two.Reply().String(); got != `{"place":"there"}` {
		t.Errorf("the second agent received %q", got)
	}
	tm.Gone(form)
}

func TestTwoAgentsInTwoWindowsHaveAPaneEach(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 200, 50)
	here := tm.FirstPane()
	there := tm.NewWindow("cat")
	first, second := rig.StartAgent(t, data, tm.Environment(here)), rig.StartAgent(t, data, tm.Environment(there))
	one := first.Start("ask_user", rig.Arguments(t, first.Session("One"), rig.NameForm))
	formOne := tm.NewPane(here, there)
	two := second.Start("ask_user", rig.Arguments(t, second.Session("Two"), rig.PlaceForm))
	formTwo := tm.NewPane(here, there, formOne)
	// The person answers the second question first.
	tm.Ready(formTwo)
	tm.Text(formTwo, "1")
	tm.Keys(formTwo, "C-s")
	if got := two.Reply().String(); got != `{"place":"here"}` {
		t.Errorf("the second agent received %q", got)
	}
	tm.Ready(formOne)
	tm.Text(formOne, "Aurora")
	tm.Keys(formOne, "C-s")
	if got := one.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the first agent received %q", got)
	}
}

// The call ends while the person types: its server ends, the agent cancels it, its
// time is over, or it returns before the client's limit. The ask stays open, the
// form takes the answer, and the agent gets it with what it does next, once.
func TestAnAnswerAfterItsCallEndedIsDelivered(t *testing.T) {
	t.Parallel()
	const stopped = "The agent stopped waiting; your answer will be kept"
	signal := func(signal os.Signal) func(*scene, *rig.Pending) error {
		return func(s *scene, _ *rig.Pending) error { return s.agent.Process.Process.Signal(signal) }
	}
	type ending struct {
		what   string
		end    func(*scene, *rig.Pending) error
		result string // how the call's result begins, if it has one
		notice string // in the form; empty if the form must not say that the agent left
		gets   func(*scene)
	}
	type row struct {
		env   []string
		flags []string
		ends  []ending // one call after another in one scene
	}
	rows := []row{{ends: []ending{
		{
			what: "cancelled", notice: stopped, gets: (*scene).getsWithNextResult,
			end: func(_ *scene, call *rig.Pending) error { call.Stop(); return nil },
		},
		{what: "kill -9", end: signal(os.Kill), notice: stopped, gets: (*scene).getsFromNextServer},
	}}}
	if storetest.Whole() { // the server's own tests end a call in these ways too
		rows = append(rows, row{ends: []ending{
			{what: "SIGTERM", end: signal(syscall.SIGTERM), notice: stopped, gets: (*scene).getsFromNextServer},
			{
				what: "end of input", notice: stopped, gets: (*scene).getsFromNextServer,
				end: func(s *scene, _ *rig.Pending) error { return s.agent.Client.Close() },
			},
		}}, row{env: []string{"ASK_ANSWER_TIMEOUT_MS=1500"}, ends: []ending{{
			what: "expired", notice: stopped,
			result: "No answer was submitted within 1.5 seconds.", gets: (*scene).getsWithNextResult,
		}}}, row{flags: []string{"--wait", "1s"}, ends: []ending{{
			what:   "before the client's limit",
			result: "NOT ANSWERED YET: the form ", gets: (*scene).getsFromGetAnswer,
		}}})
	}
	for _, row := range rows {
		t.Run(row.ends[0].what, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, row.env, row.flags...)
			for _, e := range row.ends {
				s.session = s.agent.Session(e.what)
				call, form := s.ask()
				s.types(form, "Auro", "Auro")
				if e.end != nil {
					if err := e.end(s, call); err != nil {
						t.Fatal(err)
					}
				}
				if e.result != "" {
					if got := call.Reply().String(); !strings.HasPrefix(got, e.result) {
						t.Fatalf("the agent received %q", got)
					}
				}
				s.Shows(form, "Auro", e.notice)
				if screen := s.Screen(form); e.notice == "" && strings.Contains(screen, "stopped waiting") {
					t.Errorf("%s: the form shows\n%s", e.what, screen)
				}
				if ask := rig.OnlyAsk(t, s.data, s.session); !ask.Open() {
					t.Errorf("%s: the store holds %s", e.what, ask.Outcome.State)
				}
				s.types(form, "ra", "Aurora")
				s.Keys(form, "C-s")
				s.Gone(form)
				if ask := rig.OnlyAsk(t, s.data, s.session); ask.Outcome.State != questions.Answered || !ask.Delivered.IsZero() {
					t.Errorf("%s: the store holds %s, delivered %v", e.what, ask.Outcome.State, ask.Delivered)
				}
				e.gets(s)
			}
		})
	}
}

// getsFromNextServer starts another server for the agent, whose get_answer must give
// the answer.
func (s *scene) getsFromNextServer() {
	s.t.Helper()
	s.agent = rig.StartAgent(s.t, s.data, s.Environment(s.home))
	s.getsFromGetAnswer()
}

// getsFromGetAnswer calls get_answer, which must give the answer once.
func (s *scene) getsFromGetAnswer() {
	s.t.Helper()
	session := map[string]any{"sessionId": s.session}
	if got := s.agent.Call("get_answer", session).String(); got != `{"name":"Aurora"}` {
		s.t.Errorf("get_answer gave %q", got)
	}
	if got := s.agent.Call("get_answer", session).String(); !strings.HasPrefix(got, "Nothing waits in this session") {
		s.t.Errorf("once delivered, get_answer gave %q", got)
	}
}

// getsWithNextResult calls another tool, whose result must announce the answer, once.
func (s *scene) getsWithNextResult() {
	s.t.Helper()
	save := func(plan string) string {
		return s.agent.Call("save_plan", map[string]any{"sessionId": s.session, "plan": plan}).String()
	}
	if got := save("# A plan"); !strings.Contains(got, "An earlier question was answered (askId ") || !strings.Contains(got, `): {"name":"Aurora"}`) {
		s.t.Errorf("the next result does not announce the answer:\n%s", got)
	}
	if got := save("# Another plan"); strings.Contains(got, "An earlier question") {
		s.t.Errorf("the answer was announced again:\n%s", got)
	}
}

// If no pane can open, the agent is told at once what to tell its user.
func TestWithoutATerminalTheAgentIsToldWhatToSay(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	a := rig.StartAgent(t, data, nil)
	session := a.Session("Nowhere")
	got := a.Call("ask_user", rig.Arguments(t, session, rig.NameForm)).String()
	if !strings.HasPrefix(got, "NOT ANSWERED YET: no pane could be opened (") || !strings.Contains(got, "planb tui ask ") {
		t.Fatalf("the agent was told %q", got)
	}
	short := strings.Fields(got[strings.Index(got, "planb tui ask ")+len("planb tui ask "):])[0]
	call := a.Start("get_answer", map[string]any{"sessionId": session})
	form := tm.Open(data, "tui", "ask", short)
	tm.Shows(form, "What shall it be called?")
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	if got := call.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

// A person replies without finishing, and declines, by the keys of Esc's menu.
func TestTheOtherWaysOutOfAForm(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	call, form := s.ask()
	s.Text(form, "maybe Aurora")
	s.Keys(form, "C-c")
	s.Shows(form, "Decline")
	s.types(form, "m", "what the agent should know")
	s.Text(form, "What is it for?")
	s.Keys(form, "C-s")
	want := "NOT FINISHED. The user writes: \"What is it for?\"\nAnswer that first, in the intro of your next form, and keep the ids of the questions. " +
		`Answers so far, which may change: {"name":"maybe Aurora"}`
	if got := call.Reply().String(); got != want {
		t.Errorf("reply without finishing gave\n%s\nwant\n%s", got, want)
	}
	s.Gone(form)

	// The next form of the same questions starts with the earlier answers.
	call = s.start()
	form = s.NewPane(s.home)
	s.Shows(form, "maybe Aurora")
	s.Ready(form)
	s.Keys(form, "C-c")
	s.Shows(form, "Decline")
	s.types(form, "d", "eason")
	s.Text(form, "too early")
	s.Keys(form, "C-s")
	want = `User cancelled. Reason: "too early". Do not ask this again unless the user brings it up; go on with what does not need it, and name the open point at the end.`
	if got := call.Reply().String(); got != want {
		t.Errorf("declining gave\n%s\nwant\n%s", got, want)
	}
}
