package mcp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/store"
)

func TestWhatIsWrongIsToldAndNothingStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	const nobody = "00000000-0000-7000-8000-000000000000"
	twice := oneQuestion(session)
	twice["questions"] = []any{
		map[string]any{"id": "a", "kind": "text", "label": "A"}, map[string]any{"id": "a", "kind": "smile", "label": "B"},
	}
	for _, test := range []struct {
		name string
		tool string
		args any
		want []string // each in the text
	}{
		{"a session nobody created", "ask_user", oneQuestion(nobody), []string{
			`Unknown sessionId "` + nobody + `". Call init_planb_session first, then pass the returned id to ask_user.`,
		}},
		{"a session id that is no UUID", "ask_user", oneQuestion("my session"), []string{
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
			got := c.tool(test.tool, test.args)
			if !got.IsError {
				t.Error("it is not an error")
			}
			for _, want := range test.want {
				if !strings.Contains(got.text(), want) {
					t.Errorf("got %q, want it to contain %q", got.text(), want)
				}
			}
		})
	}
	if asks, err := w.store.Waiting(t.Context()); err != nil || len(asks) != 0 {
		t.Errorf("open asks: %v, %v", asks, err)
	}
}

func TestArgumentsInOtherSpellings(t *testing.T) {
	w := newWorld(t, func(cfg *mcp.Config) { cfg.Wait = time.Millisecond })
	c := connect(t, w.Server)
	c.initialize("test")
	got := c.tool("init_planb_session", map[string]any{"title": "T", "description": "D", "project_path": "/"})
	session, ok := got.data["sessionId"].(string)
	if !ok || got.data["projectPath"] != "/" {
		t.Fatalf("got %q, %v", got.text(), got.data)
	}
	if kept, err := w.store.Session(t.Context(), session); err != nil || kept.Intent.Raw() != "D" {
		t.Errorf("the intent is %q, %v", kept.Intent.Raw(), err)
	}
	form := oneQuestion(session)
	delete(form, "sessionId")
	form["session_id"] = session
	if got := c.tool("ask_user", form); !got.stillOpen(w.opened(1)[0].ID) {
		t.Errorf("ask_user gave %q", got.text())
	}
	got = c.tool("save_plan", map[string]any{"session-id": session, "sessionId": nil, "content": "# Plan"})
	if !strings.HasPrefix(got.text(), "Saved plan v1 ") {
		t.Errorf("save_plan gave %q", got.text())
	}
	got = c.tool("get_answer", map[string]any{"ask_id": "", "timeout-seconds": "0", "withdraw": "", "reason": nil})
	if !got.stillOpen(w.opened(1)[0].ID) {
		t.Errorf("get_answer gave %q", got.text())
	}
}

func TestGetAnswerWithoutAnythingToGoBy(t *testing.T) {
	c := connect(t, newWorld(t, nil).Server)
	c.initialize("test")
	got := c.tool("get_answer", nil)
	if !got.IsError || !strings.HasPrefix(got.text(), "get_answer needs an askId") {
		t.Errorf("got %q", got.text())
	}
	got = c.tool("get_answer", map[string]any{"askId": "x"})
	if want := `Unknown askId "x". Pass one as ask_user gave it, or a sessionId for the oldest question of that session.`; got.text() != want {
		t.Errorf("got %q, want %q", got.text(), want)
	}
	c.session()
	got = c.tool("get_answer", nil)
	if got.IsError || !strings.HasPrefix(got.text(), "Nothing waits in this session") {
		t.Errorf("got %q", got.text())
	}
}

func TestGetAnswerLooksInEverySessionInUse(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	first := c.session()
	c.startTool("ask_user", oneQuestion(first))
	ask := w.opened(1)[0]
	c.session()
	look := map[string]any{"waitSeconds": 0}
	if got := c.tool("get_answer", look); got.data["askId"] != ask.ID {
		t.Errorf("after another session was begun, got %q", got.text())
	}
	if got := c.tool("get_answer", map[string]any{"askId": "x"}); !strings.Contains(got.text(), ask.ID) {
		t.Errorf("an unknown id gives %q", got.text())
	}
}

func TestGetAnswerSaysWhereTheLastAnswerIs(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	call := c.startTool("ask_user", oneQuestion(session))
	ask := w.opened(1)[0]
	w.submit(ask.ID, "harbour")
	c.answer(call)
	got := c.tool("get_answer", nil)
	if want := `get_answer {"askId":"` + ask.ID + `"} gives it again.`; !strings.HasSuffix(got.text(), want) {
		t.Errorf("got %q, want it to end in %q", got.text(), want)
	}
}

func TestGetAnswerNamesWhatWaits(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	c.startTool("ask_user", oneQuestion(session))
	ask := w.opened(1)[0]
	got := c.tool("get_answer", map[string]any{"askId": "x"})
	want := `Unknown askId "x". Waiting in this session: ` + ask.ID + `. Call get_answer with one of these.`
	if got.text() != want || !got.IsError {
		t.Errorf("got %q, want %q", got.text(), want)
	}
	other := c.session()
	got = c.tool("get_answer", map[string]any{"askId": ask.ID, "sessionId": other})
	if !got.IsError || !strings.Contains(got.text(), "belongs to session "+session+", not to "+other) {
		t.Errorf("got %q", got.text())
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
			w := newWorld(t, nil)
			c := connect(t, w.Server)
			c.initialize("test")
			session := c.session()
			cancelled := c.startTool("ask_user", oneQuestion(session))
			ask := w.opened(1)[0]
			c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(cancelled)})

			if got := c.tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0}); !got.stillOpen(ask.ID) {
				t.Errorf("a look gives %q", got.text())
			}
			call := c.startTool("get_answer", test.args(ask))
			w.submit(ask.ID, "harbour")
			if got := c.answer(call); got.text() != `{"name":"harbour"}` {
				t.Errorf("got %q", got.text())
			}
		})
	}
}

// stillOpen reports whether the agent was told of the ask alone that it is open:
// of its user nothing is known.
func (a answer) stillOpen(askID string) bool {
	for _, more := range []string{"away", "closed", "nowhere"} {
		if a.data[more] != nil {
			return false
		}
	}
	return a.data["askId"] == askID && a.data["state"] == "pending" && strings.HasPrefix(a.text(), "NOT ANSWERED YET: ") && !a.IsError
}

// closed reports whether the agent was told that its user closed the form.
func (a answer) closed(askID string) bool {
	return a.data["askId"] == askID && a.data["closed"] == true && strings.HasPrefix(a.text(), "NOT ANSWERED YET: the user closed the ") && !a.IsError
}

func TestWithdraw(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	call := c.startTool("ask_user", oneQuestion(c.session()))
	ask := w.opened(1)[0]
	got := c.tool("get_answer", map[string]any{"askId": ask.ID, "withdraw": true})
	if got.text() != "The question was withdrawn." || got.IsError {
		t.Errorf("got %q", got.text())
	}
	if waiting := c.answer(call); waiting.text() != "The question was withdrawn." {
		t.Errorf("the call that waited got %q", waiting.text())
	}
	if by := w.ask(ask.ID).Outcome.By; by != "you@example" {
		t.Errorf("withdrawn by %q", by)
	}
}

func TestAnAnswerQuickerThanItsWithdrawalIsTheResult(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	id := c.startTool("ask_user", oneQuestion(c.session()))
	ask := w.opened(1)[0]
	c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
	c.request("ping", nil) // lines are taken in order, so the cancellation is
	w.submit(ask.ID, "harbour")
	if got := c.tool("get_answer", map[string]any{"askId": ask.ID, "withdraw": true}); got.text() != `{"name":"harbour"}` {
		t.Errorf("got %q", got.text())
	}
}

func TestSavePlan(t *testing.T) {
	var dir string
	w := newWorld(t, func(cfg *mcp.Config) { dir = cfg.DataDir })
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	plan := "# Plan\r\n\x00 exact bytes ☃"
	path := func(n int) string { return fmt.Sprintf("%s/plans/%s/v%d.md", dir, session, n) }

	got := c.tool("save_plan", map[string]any{"sessionId": session, "plan": plan, "title": "First"})
	if want := "Saved plan v1 for session " + session + "\npath: " + path(1); got.text() != want {
		t.Errorf("got %q, want %q", got.text(), want)
	}
	wantFile(t, path(1), plan)

	got = c.tool("save_plan", map[string]any{"sessionId": session, "plan": plan, "title": "First"})
	if want := "Saved plan v1 for session " + session + "\npath: " + path(1) + "\nunchanged"; got.text() != want {
		t.Errorf("got %q, want %q", got.text(), want)
	}
	got = c.tool("save_plan", map[string]any{"sessionId": session, "plan": plan, "title": " First\n"})
	if !strings.HasSuffix(got.text(), "\nunchanged") {
		t.Errorf("with space around the title: %q", got.text())
	}
	got = c.tool("save_plan", map[string]any{"sessionId": session, "plan": plan + "!"})
	if !strings.HasPrefix(got.text(), "Saved plan v2 ") {
		t.Errorf("got %q", got.text())
	}
	wantFile(t, path(2), plan+"!")
	wantFile(t, path(1), plan)
}

// A copy that cannot be written is said to be missing. The version is kept, and the
// same call again writes the copy.
func TestAPlanIsKeptWhereItsCopyCannotBe(t *testing.T) {
	var dir string
	w := newWorld(t, func(cfg *mcp.Config) { dir = cfg.DataDir })
	blockDir(t, dir+"/plans")
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	path := dir + "/plans/" + session + "/v1.md"
	save := func() answer { return c.tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan"}) }
	got := save()
	begins := "Saved plan v1 for session " + session + "\nIts readable copy, " + path + ", could not be written ("
	const ends = "). The version itself is kept; the same save_plan again writes the copy."
	if got.IsError || !strings.HasPrefix(got.text(), begins) || !strings.HasSuffix(got.text(), ends) || got.data["path"] != nil {
		t.Errorf("got %q, %v", got.text(), got.data)
	}
	if text, err := w.store.PlanText(t.Context(), session, 1); err != nil || text.Raw() != "# Plan" {
		t.Errorf("the store has %q, %v", text.Raw(), err)
	}
	if err := os.RemoveAll(dir + "/plans"); err != nil {
		t.Fatal(err)
	}
	if got, want := save().text(), "Saved plan v1 for session "+session+"\npath: "+path+"\nunchanged"; got != want {
		t.Errorf("again: got %q, want %q", got, want)
	}
	wantFile(t, path, "# Plan")
}

// A path that leads somewhere else for the server than for the agent is refused.
func TestARelativeProjectIsRefused(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	for _, path := range []string{"relative/dir", "../here", ".", "~x", "https://host/x"} {
		want := fmt.Sprintf("projectPath must be an absolute path; got %q. Pass one, or leave it out: it is the client's project then.", path)
		if got := c.tool("init_planb_session", map[string]any{"projectPath": path}); !got.IsError || got.text() != want {
			t.Errorf("%s: error %v, %q", path, got.IsError, got.text())
		}
	}
	if sessions, _, err := w.store.Sessions(t.Context(), "", 1); len(sessions) > 0 || err != nil {
		t.Errorf("there are sessions, %v", err)
	}
}

// So is one that is no directory.
func TestAProjectThatIsNotThereIsRefused(t *testing.T) {
	c := connect(t, newWorld(t, nil).Server)
	c.initialize("test")
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(dir, "gone"), "file://" + dir + "/gone"} {
		want := fmt.Sprintf("projectPath is %q, and there is no such directory. Pass the path of one, or leave it out: it is the client's project then.", strings.TrimPrefix(path, "file://"))
		if got := c.tool("init_planb_session", map[string]any{"projectPath": path}); !got.IsError || got.text() != want {
			t.Errorf("%s: error %v, %q", path, got.IsError, got.text())
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
			w := newWorld(t, func(cfg *mcp.Config) {
				cfg.Env = func(name string) string {
					return map[string]string{"CLAUDE_PROJECT_DIR": test.env, "HOME": home}[name]
				}
			})
			c := connect(t, w.Server)
			capabilities := map[string]any{}
			if test.roots != nil {
				capabilities["roots"] = map[string]any{}
			}
			c.initializeAs(map[string]any{"name": "test", "title": "Test Client", "version": "9"}, capabilities)
			call := c.startTool("init_planb_session", test.args)
			if test.roots != nil { // they say what the connection may see, too
				asked := <-c.asks
				c.send(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": map[string]any{"roots": test.roots}})
			}
			got := c.answer(call)
			if len(c.asks) > 0 {
				t.Error("the client was asked for its roots twice")
			}
			if got.data["projectPath"] != test.want {
				t.Errorf("the project is %v, want %s", got.data["projectPath"], test.want)
			}
			session, err := w.store.Session(t.Context(), got.data["sessionId"].(string))
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
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initializeAs(map[string]any{"name": "t", "version": "1"}, map[string]any{"roots": map[string]any{}})
	call := c.startTool("init_planb_session", nil)
	asked := <-c.asks
	c.send(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "error": map[string]any{"code": -32601, "message": "no"}})
	start := time.Now()
	if got := c.answer(call); got.data["projectPath"] != "/srv/project" {
		t.Errorf("the project is %v", got.data["projectPath"])
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestTheTwentyFirstQuestionOfASessionIsRefused(t *testing.T) {
	w := newWorld(t, withReviews)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	titled := func(session, title string) map[string]any {
		args := oneQuestion(session)
		args["title"] = title
		return args
	}
	calls := map[string]string{}
	for i := range store.MaxOpen {
		title := fmt.Sprint("Question ", i)
		calls[title] = c.startTool("ask_user", titled(session, title))
	}
	asks := w.opened(store.MaxOpen)
	var ids []string
	for _, ask := range asks {
		ids = append(ids, ask.ID)
	}
	want := "20 questions of this session are open. Wait for answers (get_answer) or withdraw some; nothing was asked. Their askIds: " + strings.Join(ids, ", ") + "."
	c.tool("save_plan", map[string]any{"sessionId": session, "plan": reviewedPlan})
	for name, got := range map[string]answer{
		"a question": c.tool("ask_user", titled(session, "One more")),
		"a review":   c.tool("submit_plan", map[string]any{"sessionId": session}),
	} {
		if got.text() != want || !got.IsError {
			t.Errorf("%s: got error %v, %q", name, got.IsError, got.text())
		}
		w.opened(store.MaxOpen)
	}
	c.tool("get_answer", map[string]any{"askId": asks[0].ID, "withdraw": true})
	more := c.startTool("ask_user", titled(session, "One more"))
	w.submit(w.opened(store.MaxOpen)[store.MaxOpen-1].ID, "quay")
	if got := c.answer(more); got.texts()[0] != `{"name":"quay"}` {
		t.Errorf("with one withdrawn: %q", got.text())
	}
	c.startTool("ask_user", titled(c.session(), "Elsewhere"))
	w.opened(store.MaxOpen) // another session has room
}
