package tool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
)

// anyText draws what people paste: of any length, and hard to write as JSON.
func anyText(r *rapid.T, name string) string {
	chunk := rapid.SampledFrom([]string{
		"a plain line of a log\n", "\"quoted\" \\ \t", "<b>&amp;</b>", "\x01\x02\x1b[0m", "日本語の文。", "👩‍👩‍👧‍👦é", "e\u0301\u0302\u0303\u0304",
		"a\u2028b", "…",
	}).Draw(r, name+" of")
	n := rapid.OneOf(
		rapid.IntRange(0, 40), rapid.IntRange(1_990, 2_010), rapid.IntRange(0, 2_100), rapid.SampledFrom([]int{9_400, 20_000, 64_212}),
	).Draw(r, name+" characters")
	text := strings.Repeat(chunk, n/utf8.RuneCountInString(chunk)+1)
	return string([]rune(text)[:n])
}

// Whatever a person writes, its client passes the result on, and an agent that
// does what the result says has every byte.
func TestNoAnswerIsCutByAClient(t *testing.T) {
	t.Parallel()
	for name := range mcptest.ClientsLimits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for what, change := range map[string]func(*mcp.Config){
				"with copies": nil, "on a full disk": func(cfg *mcp.Config) { mcptest.BlockDir(t, filepath.Join(cfg.DataDir, "answers")) },
			} {
				t.Run(what, func(t *testing.T) {
					w := mcptest.NewWorld(t, change)
					c := mcptest.Connect(t, w.Server)
					c.Initialize(name)
					session := c.Session()
					round := 0
					rapid.Check(t, func(r *rapid.T) {
						if round++; round > rounds() {
							return // each round is a conversation
						}
						answerAndRead(t, r, w, c, name, session, change == nil)
					})
				})
			}
		})
	}
}

// rounds is how many random conversations each client has: one, or an eighth of RAPID_CHECKS.
func rounds() int {
	asked, _ := strconv.Atoi(os.Getenv("RAPID_CHECKS")) // where it is no number, rapid says so
	return max(1, asked/8)
}

// answerAndRead has a person answer a form of any kind, and an agent read it.
func answerAndRead(t *testing.T, r *rapid.T, w *mcptest.World, c *mcptest.Client, client, session string, copies bool) {
	reply := questions.Reply{Answers: map[string]questions.Value{}, Notes: map[string]safe.Text{}}
	var list []any
	for i := range rapid.SampledFrom([]int{1, 2, 3, 8, 20}).Draw(r, "questions") {
		id := fmt.Sprintf(rapid.SampledFrom([]string{"q%d", "a question/%d", `"%d\`, strings.Repeat("長", 40) + "%d"}).Draw(r, "id"), i)
		list = append(list, map[string]any{"id": id, "kind": "longtext", "label": "?"})
		if text := anyText(r, "answer"); strings.TrimSpace(text) != "" {
			reply.Answers[id] = questions.TextValue(text)
		}
		if rapid.IntRange(0, 5).Draw(r, "noted") == 0 {
			reply.Notes[id] = safe.New(anyText(r, "note"))
		}
	}
	id := fmt.Sprintf("several %d", len(list))
	if len(list) < 20 && rapid.Bool().Draw(r, "a list") {
		list = append(list, map[string]any{"id": id, "kind": "multi", "label": "?", "options": []any{"one", "two"}})
		reply.Answers[id] = questions.ItemsValue("one", "x"+anyText(r, "item"))
	}
	call := c.StartTool("ask_user", map[string]any{"sessionId": session, "title": fmt.Sprint(len(list), " questions"), "questions": list})
	ask := w.Ask(w.Opened(1)[0].ID)
	w.Settle(ask.ID, questions.Outcome{State: questions.Answered, Reply: ask.Spec.Normalize(reply)})
	got := c.Answer(call)
	got.Fits(t, client)
	told := w.Ask(ask.ID)
	rests := got.Rests(t)
	if delivered := len(rests) == 0 || copies; delivered {
		mcptest.Until(t, "it counts as delivered", func() bool { return w.Delivered(ask.ID) })
	} else if w.Delivered(ask.ID) {
		t.Errorf("it counts as delivered before its end was fetched: %q", got.Texts())
	}
	all := string(told.Spec.AnswersJSON(told.Outcome.Reply))
	var shown map[string]json.RawMessage
	whole := json.Unmarshal([]byte(got.Texts()[0]), &shown) != nil // only where it is
	named := map[string]mcptest.Rest{}
	for _, rest := range rests {
		if rest.Call["question"] == nil {
			whole = true
			if text := c.Fetch(client, rest.Call); !strings.HasPrefix(text, all) || len(told.Outcome.Reply.Notes) > 0 && !strings.Contains(text, "Notes from the user:") {
				t.Errorf("all that was said is %d bytes: %.300q", len(text), text)
			}
			continue
		}
		if rest.Name != rest.Call["question"] || rest.Path == "" == copies {
			t.Errorf("%s is said to be at %q and %v", rest.Name, rest.Path, rest.Call)
		}
		named[rest.Name] = rest
	}
	for _, q := range told.Spec.Questions {
		value, ok := told.Outcome.Reply.Answers[q.ID]
		if !ok {
			continue
		}
		want, isText := value.Text()
		if !isText {
			one := questions.Reply{Answers: map[string]questions.Value{q.ID: value}}
			_, want, _ = strings.Cut(strings.TrimSuffix(string(told.Spec.AnswersJSON(one)), "}"), `":`)
		}
		rest, cut := named[q.ID]
		var begun string
		_ = json.Unmarshal(shown[q.ID], &begun) // a list is fetched from its beginning
		switch {
		case cut:
			c.Reads(client, rest, begun, want)
		case !whole && isText && begun != want:
			t.Errorf("%s is %d bytes, want %d", q.ID, len(begun), len(want))
		}
	}
	mcptest.Until(t, "it counts as delivered in the end", func() bool { return w.Delivered(ask.ID) })
}

// Long feedback of a review is cut in the same way.
func TestNoFeedbackIsCutByAClient(t *testing.T) {
	t.Parallel()
	for name := range mcptest.ClientsLimits {
		t.Run(name, func(t *testing.T) {
			w, c, session := mcptest.Planned(t, nil)
			c.Initialize(name)
			round := 0
			rapid.Check(t, func(r *rapid.T) {
				if round++; round > 6 {
					return
				}
				call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
				ask := w.Opened(1)[0]
				note := "x" + anyText(r, "note")
				if rapid.Bool().Draw(r, "a message") {
					w.Settle(ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New(note)})
					got := c.Answer(call)
					got.Fits(t, name)
					for _, rest := range got.Rests(t) {
						if text := c.Fetch(name, rest.Call); !strings.Contains(text, `The user writes: "`+note+`"`) {
							t.Errorf("the message of %d bytes is %.300q", len(note), text)
						}
					}
					return
				}
				w.Settle(ask.ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.RequestChanges, Note: safe.New(note)}))
				got := c.Answer(call)
				got.Fits(t, name)
				var said struct {
					Approved bool
					Feedback string
				}
				if err := json.Unmarshal([]byte(got.Texts()[0]), &said); err != nil || said.Approved {
					t.Fatalf("the verdict is %.200q: %v", got.Texts()[0], err)
				}
				if !strings.Contains(strings.Join(got.Texts()[1:], "\n"), "The plan is NOT approved") {
					t.Errorf("what follows is not said: %q", got.Texts()[1:])
				}
				want := "# Plan review: changes requested\n\n" + strings.TrimSpace(note)
				rests := got.Rests(t)
				if len(rests) == 0 && !strings.HasPrefix(said.Feedback, want) {
					t.Errorf("the feedback is %.200q", said.Feedback)
				}
				for _, rest := range rests {
					text, err := os.ReadFile(rest.Path)
					if err != nil || !strings.HasPrefix(string(text), want) {
						t.Errorf("%s holds %.200q, %v", rest.Path, text, err)
					}
					c.Reads(name, rest, said.Feedback, string(text))
				}
			})
		})
	}
}

var hint = regexp.MustCompile(`It is too long to be told here: call get_answer (\{.*\})\.$`)

// However much was answered meanwhile, each result passes on, and in the end the
// agent has all of it.
func TestNoAnnouncementIsCutByAClient(t *testing.T) {
	t.Parallel()
	for name := range mcptest.ClientsLimits {
		t.Run(name, func(t *testing.T) {
			w := mcptest.NewWorld(t, nil)
			c := mcptest.Connect(t, w.Server)
			c.Initialize(name)
			session := c.Session()
			round := 0
			rapid.Check(t, func(r *rapid.T) {
				if round++; round > rounds() {
					return
				}
				var asks []string
				for i := range rapid.IntRange(1, 30).Draw(r, "asks") {
					args := mcptest.OneQuestion(session)
					args["title"] = fmt.Sprint("Question ", round, ".", i)
					call := c.StartTool("ask_user", args)
					id := w.Opened(1)[0].ID
					c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
					c.Request("ping", nil)
					w.Submit(id, "x"+strings.ReplaceAll(anyText(r, "answer"), "\n", " "))
					asks = append(asks, id)
				}
				// A result leaves out what a cancelled call has not yet stopped waiting for.
				mcptest.Until(t, "each is delivered", func() bool {
					got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": fmt.Sprint("# Plan ", round)})
					got.Fits(t, name)
					for _, text := range got.Texts()[1:] {
						match := hint.FindStringSubmatch(text)
						if match == nil {
							continue
						}
						var args map[string]any
						if err := json.Unmarshal([]byte(match[1]), &args); err != nil {
							t.Fatal(err)
						}
						c.Tool("get_answer", args).Fits(t, name)
						mcptest.Until(t, "it is delivered", func() bool { return w.Delivered(args["askId"].(string)) })
					}
					return !slices.ContainsFunc(asks, func(id string) bool { return !w.Delivered(id) })
				})
			})
		})
	}
}

// Long errors are cut, too.
func TestNoErrorIsCutByAClient(t *testing.T) {
	t.Parallel()
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("claude-code")
	session := c.Session()
	var list, edits []any
	for i := range 20 {
		var options []any
		for range 20 {
			options = append(options, map[string]any{"value": strings.Repeat("<", 200), "icon\"<>": strings.Repeat("x", 90)})
		}
		list = append(list, map[string]any{"id": fmt.Sprint("<", i, " "), "kind": "<smile>", "label": "?", "options": options, strings.Repeat("<", 70): 1})
	}
	for range 300 {
		edits = append(edits, map[string]any{"oldString": strings.Repeat("nowhere<", 30), "newString": "x"})
	}
	for range 30 {
		args := mcptest.OneQuestion(session)
		args["title"] = fmt.Sprint(len(w.WaitingNow()))
		c.StartTool("ask_user", args)
	}
	c.Tool("write_plan", map[string]any{"planName": "harbour", "content": "# Harbour"})
	for _, test := range []struct {
		tool string
		args map[string]any
	}{
		{"ask_user", map[string]any{"sessionId": session, "title": "x", "questions": list}},
		{"edit_plan", map[string]any{"planName": "harbour", "edits": edits}},
		{"get_answer", map[string]any{"askId": strings.Repeat("\x01", 20_000)}},
		{"save_plan", map[string]any{"sessionId": strings.Repeat("\x01", 20_000), "plan": "x"}},
	} {
		got := c.Tool(test.tool, test.args)
		if !got.IsError {
			t.Errorf("%s says %.200q", test.tool, got.Text())
		}
		got.Fits(t, "claude-code")
	}
}

var readOn = regexp.MustCompile(`Read on at (planb://\S+?)\.( All of it: (/.+)\.)?$`)

// A long resource is read in parts.
func TestNoResourceIsCutByAClient(t *testing.T) {
	t.Parallel()
	for name, limit := range mcptest.ClientsLimits {
		t.Run(name, func(t *testing.T) {
			w := mcptest.NewWorld(t, nil)
			c := mcptest.Connect(t, w.Server)
			c.Initialize(name)
			session := c.Session()
			long := strings.Repeat("# Harbour <é> \"quoted\"\n", 6_000)
			c.Tool("save_plan", map[string]any{"sessionId": session, "plan": long})
			call := c.StartTool("ask_user", mcptest.OneQuestion(session))
			ask := w.Opened(1)[0]
			w.Submit(ask.ID, strings.Repeat("answer", 12_000))
			c.Answer(call)
			for range 120 {
				c.Tool("init_planb_session", map[string]any{"title": strings.Repeat("A long title ", 60)})
			}
			read := func(uri string) (text string) {
				for {
					var got struct {
						Contents []struct{ URI, Text string }
					}
					r := c.Request("resources/read", map[string]any{"uri": uri})
					if err := json.Unmarshal(r.Result, &got); err != nil || len(got.Contents) == 0 {
						t.Fatalf("%s: %s %v", uri, r.Line, err)
					}
					size := 0
					for _, part := range got.Contents {
						raw, err := json.Marshal(part.Text)
						if err != nil {
							t.Fatal(err)
						}
						size += len(raw)
					}
					if size > limit {
						t.Fatalf("%s has %d characters, of which %s passes on %d", uri, size, name, limit)
					}
					text += got.Contents[0].Text
					if len(got.Contents) == 1 {
						return text
					}
					match := readOn.FindStringSubmatch(got.Contents[1].Text)
					if match == nil || match[1] != got.Contents[1].URI {
						t.Fatalf("it does not say where to read on: %q", got.Contents[1].Text)
					}
					if match[3] != "" {
						mcptest.WantFile(t, match[3], long)
					}
					uri = match[1]
				}
			}
			if got := read("planb://sessions/" + session + "/plans/1"); got != long {
				t.Errorf("the plan differs at %d", mcptest.DifferAt(got, long))
			}
			var form struct{ Questions []struct{ Answer string } }
			if err := json.Unmarshal([]byte(read("planb://sessions/"+session+"/asks/"+ask.ID)), &form); err != nil || len(form.Questions) != 1 || len(form.Questions[0].Answer) != 72_000 {
				t.Errorf("the form: %v", err)
			}
			if got := strings.Count(read("planb://sessions"), "\n- planb://sessions/"); got != 100 {
				t.Errorf("%d sessions are listed, want 100", got)
			}
			for _, uri := range []string{"planb://sessions?offset=99999999", "planb://sessions?offset=-1", "planb://sessions?limit=5", "planb://sessions/" + session + "?offset=x"} {
				if r := c.Request("resources/read", map[string]any{"uri": uri}); r.Error == nil {
					t.Errorf("%s is %s", uri, r.Result)
				}
			}
		})
	}
}

// oldPrompts leaves two prompts of long ago; one of them cannot be removed.
func oldPrompts(t *testing.T, data string) {
	t.Helper()
	dir, old := filepath.Join(data, "prompts"), time.Now().Add(-48*time.Hour)
	stuck := filepath.Join(dir, "a-stuck.md")
	if err := os.MkdirAll(filepath.Join(stuck, "in-the-way"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "old.md"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{stuck, filepath.Join(dir, "old.md")} {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
}

var readAllOf = regexp.MustCompile(`Read all of it before you begin: (/.+)$`)

// A long prompt goes into a file, because a client cannot get it in parts.
func TestNoPromptIsCutByAClient(t *testing.T) {
	const fullDisk = "on a full disk"
	for name, limit := range mcptest.ClientsLimits {
		t.Run(name, func(t *testing.T) {
			for what, change := range map[string]func(*mcp.Config){
				"with a copy":      nil,
				fullDisk:           func(cfg *mcp.Config) { mcptest.BlockDir(t, filepath.Join(cfg.DataDir, "prompts")) },
				"beside old files": func(cfg *mcp.Config) { oldPrompts(t, cfg.DataDir) },
			} {
				w := mcptest.NewWorld(t, change)
				c := mcptest.Connect(t, w.Server)
				c.Initialize(name)
				task := strings.Repeat("日本 \"task\"\n", 9_000)
				var got struct {
					Messages []struct{ Content struct{ Text string } }
				}
				r := c.Request("prompts/get", map[string]any{"name": "plan", "arguments": map[string]any{"ARGUMENTS": task}})
				if err := json.Unmarshal(r.Result, &got); err != nil {
					t.Fatalf("%s: %v", r.Line, err)
				}
				if what == fullDisk {
					if len(got.Messages) != 1 || !strings.Contains(got.Messages[0].Content.Text, task) {
						t.Errorf("%s it is %d messages", what, len(got.Messages))
					}
					continue
				}
				size := 0
				for _, message := range got.Messages {
					raw, err := json.Marshal(message.Content.Text)
					if err != nil {
						t.Fatal(err)
					}
					size += len(raw)
				}
				match := readAllOf.FindStringSubmatch(got.Messages[len(got.Messages)-1].Content.Text)
				if size > limit || match == nil {
					t.Fatalf("%s: %d characters: %.300q", what, size, got.Messages[len(got.Messages)-1])
				}
				if _, err := os.Stat(filepath.Join(filepath.Dir(match[1]), "old.md")); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("an old prompt is there: %v", err)
				}
				all, err := os.ReadFile(match[1])
				begun := strings.TrimSuffix(got.Messages[0].Content.Text, "…")
				if err != nil || !strings.Contains(string(all), task) || !strings.HasPrefix(string(all), begun) {
					t.Errorf("%s has %d bytes, %v", match[1], len(all), err)
				}
			}
		})
	}
}
