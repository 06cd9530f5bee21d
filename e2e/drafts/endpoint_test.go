package drafts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/schedule"
	"planb/e2e/rig"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
)

// key is that of the server. No file that planb writes has it.
const key = "sk-never-kept-91c"

// modelServer is an OpenAI-compatible server whose model answers steps well.
type modelServer struct {
	*httptest.Server
	asked chan string // gets each step that is asked for
	mu    sync.Mutex
	// held has each answer wait for its end, or for that of the request.
	held chan struct{}
	echo bool // the answers give the key back
}

var askedStep = regexp.MustCompile(`STEP \d+/\d+ ([\w.]+) · `)

func newModelServer(t *testing.T) *modelServer {
	s := &modelServer{asked: make(chan string, 1000)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got struct{ Messages []struct{ Content string } }
		err := json.NewDecoder(r.Body).Decode(&got)
		if errors.Is(err, io.ErrUnexpectedEOF) { // who asked was killed while it asked
			return
		}
		if err != nil || len(got.Messages) < 2 || r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("asked was %+v, %v", got, err)
			return
		}
		step := askedStep.FindStringSubmatch(got.Messages[1].Content)[1]
		s.asked <- step
		s.mu.Lock()
		held, echo := s.held, s.echo
		s.mu.Unlock()
		if held != nil {
			select {
			case <-held:
			case <-r.Context().Done():
				return
			}
		}
		answer := string(draftstest.File(t, step+".json"))
		if why := `"why":"`; echo && step == "brief" {
			answer = strings.Replace(strings.ReplaceAll(answer, `"why": "`, why), why, why+key+" ", 1)
		}
		data, err := json.Marshal(map[string]any{
			"choices": []any{map[string]any{"message": map[string]any{"content": answer}, "finish_reason": "stop"}},
			"usage":   map[string]int{"prompt_tokens": 1000, "completion_tokens": 300},
		})
		if err != nil {
			t.Error(err)
		}
		if _, err := w.Write(data); err != nil && r.Context().Err() == nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *modelServer) hold(held chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = held
}

// desk is a person's data with an endpoint in the settings.
type desk struct {
	t     *testing.T
	data  string
	store *store.Store
}

func newDesk(t *testing.T, settings string) *desk {
	t.Helper()
	d := &desk{t: t, data: t.TempDir()}
	config := filepath.Join(d.data, ".config", "planb")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.data, "prompt.txt"), draftstest.File(t, "prompt.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

func endpointSettings(s *modelServer) string {
	return "[draft]\nbase_url = \"" + s.URL + "/v1\"\nkey_env = \"MODEL_KEY\"\n[draft.profiles.baseline]\nmodels = [\"model-a\"]\n"
}

// planb returns a command of planb at this desk.
func (d *desk) planb(args ...string) *exec.Cmd {
	cmd := exec.Command(rig.Planb(d.t), args...)
	cmd.Dir = d.data
	cmd.Env = append(os.Environ(), "HOME="+d.data, "XDG_CONFIG_HOME="+filepath.Join(d.data, ".config"), "XDG_STATE_HOME="+filepath.Join(d.data, "state"),
		"PLANB_DATA_DIR="+d.data, "MODEL_KEY="+key, "TMUX=", "HTTP_PROXY=", "http_proxy=")
	return cmd
}

func (d *desk) run(args ...string) string {
	d.t.Helper()
	out, err := d.planb(args...).CombinedOutput()
	if err != nil {
		d.t.Fatalf("planb %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// begin begins a draft that asks nobody, and returns its id.
func (d *desk) begin() string { return d.beginWith("--no-ask") }

func (d *desk) beginWith(flags ...string) string {
	d.t.Helper()
	command := append([]string{"draft", "new", "prompt.txt", "--start", "2026-12-01", "--json"}, flags...)
	var made struct {
		ID string `json:"planId"`
	}
	if err := json.Unmarshal([]byte(d.run(command...)), &made); err != nil {
		d.t.Fatal(err)
	}
	d.store = rig.OpenStoreAsUser(d.t, d.data)
	return made.ID
}

// resume lets a draft go on that failed.
func (d *desk) resume(id string) {
	d.t.Helper()
	if _, _, err := d.store.Drafts().Resume(d.t.Context(), runs.Caller{Name: "anna", Person: true}, id, runs.Resumption{}); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) plan(id string) runs.Whole {
	d.t.Helper()
	w, err := d.store.Drafts().Plan(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return w
}

// nowhere fails if the key is in a file of the desk or in anything that the store keeps.
func (d *desk) nowhere(id string) {
	d.t.Helper()
	err := filepath.WalkDir(d.data, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(key)) {
			d.t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	w := d.plan(id)
	events, err := d.store.Drafts().Events(d.t.Context(), w.Summary, 0, 1000)
	if err != nil {
		d.t.Fatal(err)
	}
	all, err := json.Marshal([]any{w.Draft, w.Run, w.Earlier, events})
	if err != nil || bytes.Contains(all, []byte(key)) {
		d.t.Errorf("the key is in the store (%v)", err)
	}
}

// Section 6: models write a draft through the real command; the key is kept nowhere, also
// when the server gives it back. usage.jsonl tells the tokens.
func TestAnEndpointWritesADraft(t *testing.T) {
	t.Parallel()
	s := newModelServer(t)
	s.echo = true
	d := newDesk(t, endpointSettings(s))
	id := d.begin()
	said := d.run("draft", "run", id)
	w := d.plan(id)
	if w.State != runs.Completed || !strings.Contains(said, "It is written: ") || strings.Contains(said, key) {
		t.Fatalf("the plan is %s: %s", w.State, said)
	}
	if r := w.Draft.Records["facts"]; r.By != "model-a" || r.Model != "model-a" || r.Usage.In != 1000 || r.Usage.Out != 300 {
		t.Errorf("the facts are by %s: %+v", r.By, r.Usage)
	}
	if why := w.Draft.Output("brief").Text("why"); !strings.HasPrefix(why, "[key] ") {
		t.Errorf("what the server gave back was kept as %q", why)
	}
	d.run("draft", "zip", id, "--to", filepath.Join(d.data, "plan.zip"))
	d.nowhere(id)
}

// A worker that is killed with -9 while a model writes, and right after a step was
// accepted, costs only the step under way; the draft is the same as one of a worker that
// lived.
func TestAKilledWorkerCostsOnlyTheStepUnderWay(t *testing.T) {
	t.Parallel()
	write := func(kill bool) runs.Whole {
		s := newModelServer(t)
		d := newDesk(t, endpointSettings(s))
		id := d.begin()
		for n := 0; ; n++ {
			if n > 40 {
				t.Fatal("the draft comes to no end")
			}
			held := make(chan struct{})
			s.hold(held)
			worker := d.planb("draft", "run", id)
			if err := worker.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- worker.Wait() }()
			if !kill {
				close(held)
				if err := <-ended; err != nil {
					t.Fatal(err)
				}
				return d.plan(id)
			}
			<-s.asked
			before := d.plan(id).Done
			if n%2 == 1 { // after two steps were accepted, while the next is written
				close(held)
				rig.Until(t, "two steps are accepted", func() bool {
					w := d.plan(id)
					return w.Done > before+1 || w.State.Ended()
				})
			}
			if err := worker.Process.Kill(); err != nil && !strings.Contains(err.Error(), "finished") {
				t.Fatal(err)
			}
			<-ended
			if n%2 == 0 {
				close(held)
			}
			w := d.plan(id)
			if w.State == runs.Completed {
				d.nowhere(id)
				return w
			}
			if w.State != runs.Failed || w.Error.Reason != runs.WorkerError || !w.Error.Recoverable || w.Done < before {
				t.Errorf("after a death the plan is %s, %+v", w.State, w.Error)
			}
			if found, err := d.store.Audit(t.Context()); err != nil || len(found.Problems) > 0 {
				t.Errorf("the audit finds %v, %v", found.Problems, err)
			}
			d.resume(id)
			for len(s.asked) > 0 {
				<-s.asked
			}
		}
	}
	lived, killed := write(false), write(true)
	for step, r := range lived.Draft.Records {
		if got := killed.Draft.Records[step]; got.SHA256 != r.SHA256 {
			t.Errorf("%s differs", step)
		}
	}
}

// A worker that is killed with -9 while the person decides loses no decision: what they
// answer meanwhile counts, and the next worker goes on from there.
func TestAWorkerKilledWhileThePersonDecides(t *testing.T) {
	t.Parallel()
	d := newDesk(t, endpointSettings(newModelServer(t)))
	id := d.beginWith()
	for _, gate := range []string{"choose", "confirm", ""} {
		worker := d.planb("draft", "run", id)
		if err := worker.Start(); err != nil {
			t.Fatal(err)
		}
		if gate != "" {
			opens(t, d.store)
			if err := worker.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		if err := worker.Wait(); err != nil && gate == "" {
			t.Fatal(err)
		}
		if gate == "" {
			break
		}
		decide(t, d.store)
		if w := d.plan(id); w.Draft.Output(gate) == nil {
			t.Fatalf("the answer to %s is lost; the plan is %s", gate, w.State)
		}
		d.resume(id)
	}
	if w := d.plan(id); w.State != runs.Completed {
		t.Errorf("the plan is %s, %+v", w.State, w.Error)
	}
}

// A form that ended without a decision is opened anew: one that the person declined before
// the draft went on, one that they replied to, and one that an agent withdrew.
func TestAWorkerAsksAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t, endpointSettings(newModelServer(t)))
	id := d.beginWith()
	end := func(ask string, outcome questions.Outcome) {
		t.Helper()
		if _, err := d.store.Settle(context.Background(), ask, outcome); err != nil {
			t.Fatal(err)
		}
	}
	declining := d.planb("draft", "run", id)
	if err := declining.Start(); err != nil {
		t.Fatal(err)
	}
	declined := opens(t, d.store)
	end(declined, questions.Outcome{State: questions.Declined})
	if err := declining.Wait(); err == nil {
		t.Error("a draft that was declined was written")
	}
	d.resume(id)

	worker := d.planb("draft", "run", id)
	var said bytes.Buffer
	worker.Stdout = &said
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	replied := opens(t, d.store)
	end(replied, questions.Outcome{State: questions.Discuss, Message: safe.New("Which one is cheaper?")})
	withdrawn := opens(t, d.store)
	end(withdrawn, questions.Outcome{State: questions.Withdrawn})
	asked := opens(t, d.store)
	rig.Until(t, "the screens say that somebody waits for the form", func() bool {
		standing, err := d.store.Standing(t.Context())
		return err == nil && standing.Waited(asked) && !standing.Waited(withdrawn)
	})
	decide(t, d.store) // choose
	decide(t, d.store) // confirm
	if err := worker.Wait(); err != nil {
		t.Error(err)
	}
	if w := d.plan(id); w.State != runs.Completed {
		t.Errorf("the plan is %s, %+v", w.State, w.Error)
	}
	if forms := map[string]bool{declined: true, replied: true, withdrawn: true, asked: true}; len(forms) != 4 {
		t.Errorf("asked were the forms %v", forms)
	}
	if text := strings.Join(strings.Fields(said.String()), " "); !strings.Contains(text, "You replied: “Which one is cheaper?”") || strings.Count(text, "It waits for you: ") != 4 {
		t.Errorf("said was %s", text)
	}
}

// A reply to a form of an agent's draft is for the agent, which gets it with its next result.
// The person is asked again after that.
func TestAWorkerLeavesAReplyToTheAgent(t *testing.T) {
	t.Parallel()
	d := newDesk(t, endpointSettings(newModelServer(t)))
	d.begin() // makes the store
	session, err := d.store.CreateSession(t.Context(), store.Session{Project: safe.New(d.data), Client: store.Client{Name: safe.New("codex")}})
	if err != nil {
		t.Fatal(err)
	}
	start, err := schedule.ParseDate("2026-12-01")
	if err != nil {
		t.Fatal(err)
	}
	plan, _, err := d.store.Drafts().Create(t.Context(), runs.Caller{Name: "Codex"}, runs.Request{
		Prompt: string(draftstest.File(t, "prompt.txt")), Session: session.ID, Detail: drafts.Brief, Start: start, Profile: "baseline",
	})
	if err != nil {
		t.Fatal(err)
	}
	worker := d.planb("draft", "run", plan.ID)
	said, err := os.Create(filepath.Join(d.data, "said.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close() //nolint:errcheck // the test reads it by its name
	worker.Stdout = said
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	replied := opens(t, d.store)
	if _, err := d.store.Settle(t.Context(), replied, questions.Outcome{State: questions.Discuss, Message: safe.New("Which one is cheaper?")}); err != nil {
		t.Fatal(err)
	}
	rig.Until(t, "the worker tells of the reply, and what to do if nobody gets it", func() bool {
		text, err := os.ReadFile(said.Name())
		return err == nil && strings.Contains(strings.Join(strings.Fields(string(text)), " "), "You replied: “Which one is cheaper?”. The agent gets that with its next result; "+
			"then the form waits for you again. If that agent has ended, open the draft in planb tui and answer its form there.")
	})
	if ask, err := d.store.Ask(t.Context(), replied); err != nil || !ask.Undelivered() {
		t.Errorf("the agent gets no reply: %+v, %v", ask.Outcome, err)
	}
	if err := d.store.Deliver(t.Context(), replied); err != nil {
		t.Fatal(err)
	}
	if again := opens(t, d.store); again == replied {
		t.Error("the reply opened again")
	}
	if _, _, err := d.store.Drafts().Stop(t.Context(), runs.Caller{Name: "anna", Person: true}, plan.ID, "enough"); err != nil {
		t.Fatal(err)
	}
	if err := worker.Wait(); err == nil {
		t.Error("a draft that was stopped was written")
	}
}

// A worker is never two; a stop from elsewhere ends it and its request within a second.
func TestAWorkerIsOneAndStops(t *testing.T) {
	t.Parallel()
	s := newModelServer(t)
	s.hold(make(chan struct{}))
	d := newDesk(t, endpointSettings(s))
	id := d.begin()
	worker := d.planb("draft", "run", id)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	<-s.asked
	if got := d.run("draft", "status", id); !strings.Contains(got, "being written") {
		t.Errorf("while a step is written, the status is\n%s", got)
	}
	if out, err := d.planb("draft", "run", id).CombinedOutput(); err == nil || !strings.Contains(string(out), "writes this draft already") {
		t.Errorf("a second worker: %v: %s", err, out)
	}
	stopped := time.Now()
	if _, _, err := d.store.Drafts().Stop(t.Context(), runs.Caller{Name: "anna", Person: true}, id, "lunch"); err != nil {
		t.Fatal(err)
	}
	err := worker.Wait()
	if took := time.Since(stopped); err == nil || took > rig.Patience/4 {
		t.Errorf("it ended after %s with %v", took, err)
	} else {
		t.Logf("it ended after %s", took)
	}
	if w := d.plan(id); w.State != runs.Stopped || len(w.Earlier) != 0 || w.Draft.Output("brief") != nil {
		t.Errorf("the plan is %+v", w.Run)
	}
}

// A server that refuses the key, and a key that is not there, fail the draft in words.
// X8: a call that fails is no empty answer: the step fails.
func TestAnEndpointThatRefuses(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"no such key: `+key+`"}}`) //nolint:errcheck // the client sees
	}))
	t.Cleanup(refusing.Close)
	d := newDesk(t, "[draft]\nbase_url = \""+refusing.URL+"/v1\"\nkey_env = \"MODEL_KEY\"\nprofiles.baseline.models = [\"model-a\"]\n")
	id := d.begin()
	out, err := d.planb("draft", "run", id).CombinedOutput()
	w := d.plan(id)
	if err == nil || w.State != runs.Failed || w.Error.Reason != runs.WorkerError || w.Error.Step != "brief" || !strings.Contains(w.Error.Message, "401") || len(w.Attempts) != 1 {
		t.Errorf("the plan is %s, %+v: %s", w.State, w.Error, out)
	}
	if bytes.Contains(out, []byte(key)) || !bytes.Contains(w.RunError(), []byte("[key]")) {
		t.Errorf("said was %s, the error is %s", out, w.RunError())
	}
	d.nowhere(id)

	start, err := schedule.ParseDate("2026-12-01")
	if err != nil {
		t.Fatal(err)
	}
	profiled, _, err := d.store.Drafts().Create(context.Background(), runs.Caller{Name: "Codex"}, runs.Request{
		Prompt: w.Draft.Prompt, Session: w.Session, Detail: drafts.Brief, Start: start, Profile: "baseline",
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := d.planb("draft", "run", profiled.ID)
	cmd.Env = append(cmd.Env, "MODEL_KEY=")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "the variable MODEL_KEY") {
		t.Errorf("without the key: %v: %s", err, out)
	}
	if w := d.plan(profiled.ID); w.State != runs.Failed || w.Error.Reason != runs.WorkerError || !strings.Contains(w.Error.Message, "planb draft run") {
		t.Errorf("the plan is %s, %+v", w.State, w.Error)
	}
}

// Without the setting planb opens no connection: the system is asked for no socket of the
// network, whatever the program that writes the draft does.
func TestWithoutAnEndpointNoSocketIsOpened(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("strace is missing")
		}
		t.Skip("strace is missing")
	}
	if out, err := exec.Command(strace, "-o", os.DevNull, "true").CombinedOutput(); bytes.Contains(out, []byte("Operation not permitted")) {
		t.Skipf("no process may be traced here: %s, %v", out, err)
	}
	answers := t.TempDir()
	if err := os.CopyFS(answers, os.DirFS(filepath.Join("drafts", "workshop"))); err != nil {
		t.Fatal(err)
	}
	writer := filepath.Join(t.TempDir(), "writer.sh")
	script := "#!/bin/sh\ncat \"" + answers + "/$(sed -n '1s/^STEP [0-9]*\\/[0-9]* \\([a-z.0-9]*\\) .*/\\1/p').json\"\n"
	if err := rig.WriteProgram(writer, script); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, "[draft]\ncommand = [\""+writer+"\"]\nkey_env = \"MODEL_KEY\"\n[draft.profiles.baseline]\nmodels = [\"model-a\"]\n")
	id := d.begin()
	trace := filepath.Join(t.TempDir(), "trace")
	plain := d.planb("draft", "run", id)
	traced := exec.Command(strace, append([]string{"-f", "-o", trace, "-e", "trace=socket,connect", "--"}, plain.Args...)...)
	traced.Dir, traced.Env = plain.Dir, plain.Env
	if out, err := traced.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	told, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	if d.plan(id).State != runs.Completed || regexp.MustCompile(`AF_INET|AF_PACKET|AF_VSOCK`).Match(told) {
		t.Errorf("the system was asked for\n%s", told)
	}
}
