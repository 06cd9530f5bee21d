package asking_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

func TestWhatIsWrongIsToldAndNothingStored(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Started(t)
	const nobody = "00000000-0000-7000-8000-000000000000"
	twice := mcptest.OneQuestion(session)
	twice["questions"] = []any{
		map[string]any{"id": "a", "kind": "text", "label": "A"}, map[string]any{"id": "a", "kind": "smile", "label": "B"},
	}
	for _, test := range []struct {
		name string
		tool string
		args any
		want []string // each in the text
	}{
		{"a session nobody created", "ask_user", mcptest.OneQuestion(nobody), []string{
			`Unknown sessionId "` + nobody + `". Call init_planb_session first, then pass the returned id to ask_user.`,
		}},
		{"a session id that is no UUID", "ask_user", mcptest.OneQuestion("my session"), []string{
			`Unknown sessionId "my session". Call init_planb_session first, then pass the returned id to ask_user.`,
		}},
		{"no session id, and a form that is wrong", "ask_user", map[string]any{"title": "x"}, []string{
			"sessionId is missing: pass the id that init_planb_session returned; call that first, once.", "questions",
		}},
		{"an unknown session, and a form that is wrong", "ask_user", map[string]any{"sessionId": nobody, "title": "x"}, []string{
			`Unknown sessionId "` + nobody + `". Call init_planb_session first, then pass the returned id to ask_user.` + "\nquestions: got nothing",
		}},
		{"a plan that nobody can see", "save_plan", map[string]any{"sessionId": session, "plan": "\u200b"}, []string{
			"plan: got a blank text; allowed: Markdown that says something",
		}},
		{"a plan's title of two lines", "save_plan", map[string]any{"sessionId": session, "plan": "x", "title": "a\nb"}, []string{
			"title: got several lines; allowed: one line",
		}},
		{"two names for one argument", "save_plan", map[string]any{"sessionId": session, "plan": "a", "content": "b"}, []string{
			`"content" is no argument of save_plan; it takes sessionId, plan, title.`,
		}},
		{"a session's title that is a text", "init_planb_session", map[string]any{"title": strings.Repeat("x", 1025)}, []string{
			"title must have at most 1024 bytes; got 1025.",
		}},
		{"an intent that is a book", "init_planb_session", map[string]any{"intent": strings.Repeat("x", 3<<20)}, []string{
			"intent must have at most 16384 bytes; got 3145728.",
		}},
		{"two problems, two lines", "ask_user", twice, []string{"questions[1].id", "questions[1].kind", "\n"}},
		{"no arguments at all", "ask_user", nil, []string{"sessionId is missing"}},
		{"save_plan to nobody", "save_plan", map[string]any{"sessionId": nobody, "plan": "x"}, []string{
			`Unknown sessionId "` + nobody + `". Call init_planb_session first, then pass the returned id to save_plan.`,
		}},
		{"save_plan with nothing", "save_plan", map[string]any{}, []string{
			"sessionId is missing", "\nplan is missing: the plan's whole text, in Markdown.",
		}},
		{"a blank plan", "save_plan", map[string]any{"sessionId": session, "plan": " \n"}, []string{"plan is missing"}},
		{"wrong types", "save_plan", map[string]any{"sessionId": session, "plan": 5, "title": []int{1}}, []string{
			"plan must be a string; got 5.", "title must be a string; got [1].",
		}},
		{"an argument nobody asked for", "init_planb_session", map[string]any{"name": "x"}, []string{
			`"name" is no argument of init_planb_session; it takes title, intent, projectPath.`,
		}},
		{"arguments that are a list", "save_plan", []int{1}, []string{"The arguments must be a JSON object; got [1]."}},
		{"get_answer of a session nobody created", "get_answer", map[string]any{"sessionId": nobody}, []string{
			`Unknown sessionId "` + nobody + `". Call init_planb_session first, then pass the returned id to get_answer.`,
		}},
		{"an unknown ask", "get_answer", map[string]any{"askId": nobody}, []string{
			`Unknown askId "` + nobody + `". Nothing waits in this session. To ask the user, call ask_user.`,
		}},
		{"a wait that is too short", "get_answer", map[string]any{"waitSeconds": -1}, []string{
			"waitSeconds must be a number from 0 to 86400; got -1.",
		}},
		{"a flag that is none", "get_answer", map[string]any{"withdraw": "maybe"}, []string{`withdraw must be true or false; got "maybe".`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := c.Tool(test.tool, test.args)
			if !got.IsError {
				t.Error("it is not an error")
			}
			for _, want := range test.want {
				if !strings.Contains(got.Text(), want) {
					t.Errorf("got %q, want it to contain %q", got.Text(), want)
				}
			}
		})
	}
	if asks, err := w.Store.Waiting(t.Context()); err != nil || len(asks) != 0 {
		t.Errorf("open asks: %v, %v", asks, err)
	}
}

func TestArgumentsInOtherSpellings(t *testing.T) {
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Wait = time.Millisecond })
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	got := c.Tool("init_planb_session", map[string]any{"title": "T", "description": "D", "project_path": "/"})
	session, ok := got.Data["sessionId"].(string)
	if !ok || got.Data["projectPath"] != "/" {
		t.Fatalf("got %q, %v", got.Text(), got.Data)
	}
	if kept, err := w.Store.Session(t.Context(), session); err != nil || kept.Intent.Raw() != "D" {
		t.Errorf("the intent is %q, %v", kept.Intent.Raw(), err)
	}
	form := mcptest.OneQuestion(session)
	delete(form, "sessionId")
	form["session_id"] = session
	if got := c.Tool("ask_user", form); !got.StillOpen(w.Opened(1)[0].ID) {
		t.Errorf("ask_user gave %q", got.Text())
	}
	got = c.Tool("save_plan", map[string]any{"session-id": session, "sessionId": nil, "content": "# Plan"})
	if !strings.HasPrefix(got.Text(), "Saved plan v1 ") {
		t.Errorf("save_plan gave %q", got.Text())
	}
	got = c.Tool("get_answer", map[string]any{"ask_id": "", "timeout-seconds": "0", "withdraw": "", "reason": nil})
	if !got.StillOpen(w.Opened(1)[0].ID) {
		t.Errorf("get_answer gave %q", got.Text())
	}
}

// An agent that only works tasks off, or only reviews plans, is sent to no tool that it does not have.
func TestGetAnswerNamesNoToolThatIsNotOffered(t *testing.T) {
	for _, toolset := range []string{"work", "tasks", "review", "drafts"} {
		c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{toolset} }).Server)
		c.Initialize("test")
		needs := "get_answer needs an askId, as the result that said NOT ANSWERED YET gave it. If you know none, call again what asked the user: the same call joins what is open."
		if got := c.Tool("get_answer", nil); !got.IsError || got.Text() != needs {
			t.Errorf("%s: got %q", toolset, got.Text())
		}
		if got := c.Tool("get_answer", map[string]any{"askId": "x"}); !got.IsError || got.Text() != `Unknown askId "x". `+needs {
			t.Errorf("%s: got %q", toolset, got.Text())
		}
	}
}

func TestGetAnswerWithoutAnythingToGoBy(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	c.Initialize("test")
	got := c.Tool("get_answer", nil)
	if !got.IsError || !strings.HasPrefix(got.Text(), "get_answer needs an askId") {
		t.Errorf("got %q", got.Text())
	}
	got = c.Tool("get_answer", map[string]any{"askId": "x"})
	if want := `Unknown askId "x". Pass one as ask_user gave it, or a sessionId for the oldest question of that session.`; got.Text() != want {
		t.Errorf("got %q, want %q", got.Text(), want)
	}
	c.Session()
	got = c.Tool("get_answer", nil)
	if got.IsError || !strings.HasPrefix(got.Text(), "Nothing waits in this session") {
		t.Errorf("got %q", got.Text())
	}
}

func TestGetAnswerLooksInEverySessionInUse(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	first := c.Session()
	c.StartTool("ask_user", mcptest.OneQuestion(first))
	ask := w.Opened(1)[0]
	c.Session()
	look := map[string]any{"waitSeconds": 0}
	if got := c.Tool("get_answer", look); got.Data["askId"] != ask.ID {
		t.Errorf("after another session was begun, got %q", got.Text())
	}
	if got := c.Tool("get_answer", map[string]any{"askId": "x"}); !strings.Contains(got.Text(), ask.ID) {
		t.Errorf("an unknown id gives %q", got.Text())
	}
}

func TestGetAnswerSaysWhereTheLastAnswerIs(t *testing.T) {
	w, c, session := mcptest.Started(t)
	call := c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	w.Submit(ask.ID, "harbour")
	c.Answer(call)
	got := c.Tool("get_answer", nil)
	if want := `get_answer {"askId":"` + ask.ID + `"} gives it again.`; !strings.HasSuffix(got.Text(), want) {
		t.Errorf("got %q, want it to end in %q", got.Text(), want)
	}
}

func TestGetAnswerNamesWhatWaits(t *testing.T) {
	w, c, session := mcptest.Started(t)
	c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	got := c.Tool("get_answer", map[string]any{"askId": "x"})
	want := `Unknown askId "x". Waiting in this session: ` + ask.ID + `. Call get_answer with one of these.`
	if got.Text() != want || !got.IsError {
		t.Errorf("got %q, want %q", got.Text(), want)
	}
	other := c.Session()
	got = c.Tool("get_answer", map[string]any{"askId": ask.ID, "sessionId": other})
	if !got.IsError || !strings.Contains(got.Text(), "belongs to session "+session+", not to "+other) {
		t.Errorf("got %q", got.Text())
	}
}

func TestGetAnswerFinds(t *testing.T) {
	for _, test := range []struct {
		name string
		args func(store.Ask) map[string]any
	}{
		{"the long id", func(a store.Ask) map[string]any { return map[string]any{"askId": a.ID} }},
		{"the short id", func(a store.Ask) map[string]any { return map[string]any{"askId": store.ShortID(a.ID)} }},
		{"the session's oldest", func(a store.Ask) map[string]any { return map[string]any{"sessionId": a.Session} }},
		{"the last session's oldest", func(store.Ask) map[string]any { return nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, c, session := mcptest.Started(t)
			cancelled := c.StartTool("ask_user", mcptest.OneQuestion(session))
			ask := w.Opened(1)[0]
			c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(cancelled)})

			if got := c.Tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0}); !got.StillOpen(ask.ID) {
				t.Errorf("a look gives %q", got.Text())
			}
			call := c.StartTool("get_answer", test.args(ask))
			w.Submit(ask.ID, "harbour")
			if got := c.Answer(call); got.Text() != `{"name":"harbour"}` {
				t.Errorf("got %q", got.Text())
			}
		})
	}
}

func TestWithdraw(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
	ask := w.Opened(1)[0]
	got := c.Tool("get_answer", map[string]any{"askId": ask.ID, "withdraw": true})
	if got.Text() != "The question was withdrawn." || got.IsError {
		t.Errorf("got %q", got.Text())
	}
	if waiting := c.Answer(call); waiting.Text() != "The question was withdrawn." {
		t.Errorf("the call that waited got %q", waiting.Text())
	}
	if by := w.Ask(ask.ID).Outcome.By; by != "test" {
		t.Errorf("withdrawn by %q, and it was the agent", by)
	}
}

// A form that a person began by a command is theirs, also in a session that an agent began.
func TestAnAgentNeitherAnswersNorWithdrawsAPersonsOwnForm(t *testing.T) {
	const begunByThem = "was begun by the user"
	for name, test := range map[string]struct {
		args map[string]any // beside the id that is in them
		by   string         // what names the form
		want string
	}{
		"by its session":           {nil, "sessionId", "Nothing waits"},
		"withdrawn by its session": {map[string]any{"withdraw": true}, "sessionId", "Nothing waits"},
		"by its id":                {nil, "askId", mcptest.NoPane},
		"withdrawn by its id":      {map[string]any{"withdraw": true}, "askId", begunByThem},
	} {
		mcptest.Timed(t, name, func(t *testing.T) {
			w := mcptest.Paneless(t, nil)
			c := mcptest.WithDialogs(t, w)
			session := c.Session()
			own, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session, Own: true, Spec: questions.Spec{
				Title: safe.New("Really?"), Questions: []questions.Question{{ID: "name", Kind: "text", Label: safe.New("Name?")}},
			}})
			if err != nil {
				t.Fatal(err)
			}
			args := maps.Clone(test.args)
			if args == nil {
				args = map[string]any{}
			}
			args[test.by] = map[string]string{"sessionId": session, "askId": own.ID}[test.by]
			got, _ := c.Later(c.StartTool("get_answer", args))
			if len(c.Asks) > 0 || !w.Ask(own.ID).Open() || !strings.Contains(got.Text(), test.want) {
				t.Errorf("%d dialogs, the form is %q; got %q", len(c.Asks), w.Ask(own.ID).Outcome.State, got.Text())
			}
		})
	}
}

func TestAnAnswerQuickerThanItsWithdrawalIsTheResult(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	id := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
	ask := w.Opened(1)[0]
	c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
	c.Request("ping", nil) // lines are taken in order, so the cancellation is
	w.Submit(ask.ID, "harbour")
	if got := c.Tool("get_answer", map[string]any{"askId": ask.ID, "withdraw": true}); got.Text() != `{"name":"harbour"}` {
		t.Errorf("got %q", got.Text())
	}
}

func TestSavePlan(t *testing.T) {
	var dir string
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) { dir = cfg.DataDir })
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	plan := "# Plan\r\n\x00 exact bytes ☃"
	path := func(n int) string { return fmt.Sprintf("%s/plans/%s/v%d.md", dir, session, n) }

	got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": plan, "title": "First"})
	if want := "Saved plan v1 for session " + session + "\npath: " + path(1); got.Text() != want {
		t.Errorf("got %q, want %q", got.Text(), want)
	}
	mcptest.WantFile(t, path(1), plan)

	got = c.Tool("save_plan", map[string]any{"sessionId": session, "plan": plan, "title": "First"})
	if want := "Saved plan v1 for session " + session + "\npath: " + path(1) + "\nunchanged"; got.Text() != want {
		t.Errorf("got %q, want %q", got.Text(), want)
	}
	got = c.Tool("save_plan", map[string]any{"sessionId": session, "plan": plan, "title": " First\n"})
	if !strings.HasSuffix(got.Text(), "\nunchanged") {
		t.Errorf("with space around the title: %q", got.Text())
	}
	got = c.Tool("save_plan", map[string]any{"sessionId": session, "plan": plan + "!"})
	if !strings.HasPrefix(got.Text(), "Saved plan v2 ") {
		t.Errorf("got %q", got.Text())
	}
	mcptest.WantFile(t, path(2), plan+"!")
	mcptest.WantFile(t, path(1), plan)
}

// A copy that cannot be written is said to be missing. The version is kept, and the
// same call again writes the copy.
func TestAPlanIsKeptWhereItsCopyCannotBe(t *testing.T) {
	var dir string
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) { dir = cfg.DataDir })
	mcptest.BlockDir(t, dir+"/plans")
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	path := dir + "/plans/" + session + "/v1.md"
	save := func() mcptest.Answer {
		return c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan"})
	}
	got := save()
	begins := "Saved plan v1 for session " + session + "\nIts readable copy, " + path + ", could not be written ("
	const ends = "). The version itself is kept; the same save_plan again writes the copy."
	if got.IsError || !strings.HasPrefix(got.Text(), begins) || !strings.HasSuffix(got.Text(), ends) || got.Data["path"] != nil {
		t.Errorf("got %q, %v", got.Text(), got.Data)
	}
	if text, err := w.Store.PlanText(t.Context(), session, 1); err != nil || text.Raw() != "# Plan" {
		t.Errorf("the store has %q, %v", text.Raw(), err)
	}
	if err := os.RemoveAll(dir + "/plans"); err != nil {
		t.Fatal(err)
	}
	if got, want := save().Text(), "Saved plan v1 for session "+session+"\npath: "+path+"\nunchanged"; got != want {
		t.Errorf("again: got %q, want %q", got, want)
	}
	mcptest.WantFile(t, path, "# Plan")
}

// A path that leads somewhere else for the server than for the agent is refused.
func TestARelativeProjectIsRefused(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	for _, path := range []string{"relative/dir", "../here", ".", "~x", "https://host/x"} {
		want := fmt.Sprintf("projectPath must be an absolute path; got %q. Pass one, or leave it out: it is the client's project then.", path)
		if got := c.Tool("init_planb_session", map[string]any{"projectPath": path}); !got.IsError || got.Text() != want {
			t.Errorf("%s: error %v, %q", path, got.IsError, got.Text())
		}
	}
	if sessions, _, err := w.Store.Sessions(t.Context(), "", 1); len(sessions) > 0 || err != nil {
		t.Errorf("there are sessions, %v", err)
	}
}

// So is one that is no directory.
func TestAProjectThatIsNotThereIsRefused(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	c.Initialize("test")
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "below"), filepath.Join(dir, "gone"), "file://" + dir + "/gone"} {
		want := fmt.Sprintf("projectPath is %q, and there is no such directory. Pass the path of one, or leave it out: it is the client's project then.", strings.TrimPrefix(path, "file://"))
		if got := c.Tool("init_planb_session", map[string]any{"projectPath": path}); !got.IsError || got.Text() != want {
			t.Errorf("%s: error %v, %q", path, got.IsError, got.Text())
		}
	}
}

func TestTheProjectsDirectory(t *testing.T) {
	home := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(home, "na med"), 0o700), os.Mkdir(filepath.Join(home, "x"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		roots any // what the client answers; nil: it does not declare roots
		env   string
		args  map[string]any
		want  string
	}{
		{"the working directory", nil, "", nil, "/srv/project"},
		{"what Claude Code sets", nil, "/claude/project", nil, "/claude/project"},
		{"what it sets, if that is absolute", nil, "project", nil, "/srv/project"},
		{"the client's first root", []any{map[string]any{"uri": "file:///ro%20ot/a/"}, map[string]any{"uri": "file:///b"}}, "/claude", nil, "/ro ot/a"},
		{"a root that is no file", []any{map[string]any{"uri": "https://x/"}}, "/claude", nil, "/claude"},
		{"no roots", []any{}, "", nil, "/srv/project"},
		{"the argument wins", []any{map[string]any{"uri": "file:///root"}}, "/claude", map[string]any{"projectPath": home + "/x/"}, home + "/x"},
		{"a file URI as the argument", nil, "", map[string]any{"projectPath": "file://" + home + "/na%20med"}, home + "/na med"},
		{"an argument in the home directory", nil, "", map[string]any{"projectPath": "~/x"}, home + "/x"},
		{"the home directory itself", nil, "", map[string]any{"projectPath": "~"}, home},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := mcptest.NewWorld(t, func(cfg *mcp.Config) {
				cfg.Env = func(name string) string {
					return map[string]string{"CLAUDE_PROJECT_DIR": test.env, "HOME": home}[name]
				}
			})
			c := mcptest.Connect(t, w.Server)
			capabilities := map[string]any{}
			if test.roots != nil {
				capabilities["roots"] = map[string]any{}
			}
			c.InitializeAs(map[string]any{"name": "test", "title": "Test Client", "version": "9"}, capabilities)
			call := c.StartTool("init_planb_session", test.args)
			if test.roots != nil { // they say what the connection may see, too
				asked := <-c.Asks
				c.Send(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": map[string]any{"roots": test.roots}})
			}
			got := c.Answer(call)
			if len(c.Asks) > 0 {
				t.Error("the client was asked for its roots twice")
			}
			if got.Data["projectPath"] != test.want {
				t.Errorf("the project is %v, want %s", got.Data["projectPath"], test.want)
			}
			session, err := w.Store.Session(t.Context(), got.Data["sessionId"].(string))
			if err != nil || session.Project.Raw() != test.want {
				t.Errorf("the store says %q, %v", session.Project.Raw(), err)
			}
			if who := session.Client; who.Name.Raw() != "test" || who.Title.Raw() != "Test Client" || who.Version.Raw() != "9" {
				t.Errorf("the client is %+v", who)
			}
		})
	}
}

func TestAClientThatRefusesRootsIsNoObstacle(t *testing.T) { synctest.Test(t, refusesRoots) }

func refusesRoots(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.InitializeAs(map[string]any{"name": "t", "version": "1"}, map[string]any{"roots": map[string]any{}})
	call := c.StartTool("init_planb_session", nil)
	asked := <-c.Asks
	c.Send(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "error": map[string]any{"code": -32601, "message": "no"}})
	start := time.Now()
	if got := c.Answer(call); got.Data["projectPath"] != "/srv/project" {
		t.Errorf("the project is %v", got.Data["projectPath"])
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestTheTwentyFirstQuestionOfASessionIsRefused(t *testing.T) {
	w := mcptest.NewWorld(t, mcptest.WithReviews)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	titled := func(session, title string) map[string]any {
		args := mcptest.OneQuestion(session)
		args["title"] = title
		return args
	}
	calls := map[string]string{}
	for i := range store.MaxOpen {
		title := fmt.Sprint("Question ", i)
		calls[title] = c.StartTool("ask_user", titled(session, title))
	}
	asks := w.Opened(store.MaxOpen)
	var ids []string
	for _, ask := range asks {
		ids = append(ids, ask.ID)
	}
	want := "20 questions of this session are open. Wait for answers (get_answer) or withdraw some; nothing was asked. Their askIds: " + strings.Join(ids, ", ") + "."
	c.Tool("save_plan", map[string]any{"sessionId": session, "plan": mcptest.ReviewedPlan})
	for name, got := range map[string]mcptest.Answer{
		"a question": c.Tool("ask_user", titled(session, "One more")),
		"a review":   c.Tool("submit_plan", map[string]any{"sessionId": session}),
	} {
		if got.Text() != want || !got.IsError {
			t.Errorf("%s: got error %v, %q", name, got.IsError, got.Text())
		}
		w.Opened(store.MaxOpen)
	}
	c.Tool("get_answer", map[string]any{"askId": asks[0].ID, "withdraw": true})
	more := c.StartTool("ask_user", titled(session, "One more"))
	w.Submit(w.Opened(store.MaxOpen)[store.MaxOpen-1].ID, "quay")
	if got := c.Answer(more); got.Texts()[0] != `{"name":"quay"}` {
		t.Errorf("with one withdrawn: %q", got.Text())
	}
	c.StartTool("ask_user", titled(c.Session(), "Elsewhere"))
	w.Opened(store.MaxOpen) // another session has room
}

// A new session is told what became of a form that was for another agent: not every outcome is an
// answer.
func TestWhatTheUserDidWithAnotherAgentsForm(t *testing.T) {
	t.Parallel()
	for state, did := range map[questions.State]string{questions.Declined: "declined", questions.Discuss: "replied to"} {
		w, c, session := mcptest.Started(t)
		ask := mcptest.CancelledAsk(w, c, session)
		w.Settle(ask.ID, questions.Outcome{State: state, Message: safe.New("Not now.")})
		other := mcptest.Connect(t, w.Server)
		other.Initialize("another")
		want := fmt.Sprintf(`The user %s "One thing" (session %s). `, did, session)
		if got := other.Tool("init_planb_session", nil).Text(); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", state, got, want)
		}
	}
}
