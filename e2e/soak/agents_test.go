package soak_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store"
)

// soakServer is a real server and everything it said.
type soakServer struct {
	w     *soak
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	log   rig.Output    // what it wrote to stderr
	ended chan struct{} // closed at the end of its output

	mu       sync.Mutex
	waiting  map[int]*soakCall
	received map[string]bool // the asks whose outcome it has told
}

// soakCall is one request and what became of it.
type soakCall struct {
	server    *soakServer
	id        int
	tool      string
	session   string // empty for init_planb_session
	ask       string // the ask that it names, if any
	claim     string // the claimId that it names, if any
	withdraw  bool
	question  string          // of ask_user: the id of its only question
	told      map[string]bool // the asks whose outcome an agent certainly knew before this call was sent
	cancelled bool
	done      chan struct{} // closed when the response is there
	response  soakResponse
}

type soakResponse struct {
	Error  json.RawMessage
	Result struct {
		IsError bool
		Content []struct{ Text string }
		Meta    map[string]soakData `json:"_meta"`
	}
}

type soakData struct {
	Ask     string          `json:"askId"`
	State   questions.State `json:"state"`
	Earlier []soakData      `json:"earlier"`
}

// over reports whether nothing more can come of the call.
func (c *soakCall) over() bool {
	select {
	case <-c.done:
	case <-c.server.ended:
	default:
		return false
	}
	return true
}

func (c *soakCall) answered() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

func (c *soakCall) String() string {
	return fmt.Sprintf("%s #%d %s session %s ask %s", c.server.name, c.id, c.tool, store.ShortID(c.session), store.ShortID(c.ask))
}

func (w *soak) startServer() {
	w.t.Helper()
	args := []string{"mcp", "--all-projects", "--toolsets", "all"} // each server works for both projects
	if w.chance(2) {
		args = append(args, "--wait", "300ms")
	}
	s := &soakServer{
		w: w, cmd: exec.Command(rig.Planb(w.t), args...), ended: make(chan struct{}),
		waiting: map[int]*soakCall{}, received: map[string]bool{},
	}
	s.cmd.Env = append([]string{"HOME=" + w.data, "PLANB_DATA_DIR=" + w.data}, w.env...)
	s.cmd.Stderr = &s.log
	in, err := s.cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	s.in = in
	if err := s.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // it has ended already if the script came to its end
	s.name = fmt.Sprintf("server %d", s.cmd.Process.Pid)
	w.note("%s starts with %v", s.name, args)
	go s.read(out)
	w.servers = append(w.servers, s)
	hello := w.request(s, &soakCall{tool: "initialize"}, legacyHelloAs)
	rig.Until(w.t, "the server shakes hands", hello.over)
}

const legacyHelloAs = `{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

// read reads what the server says, to the last whole line.
func (s *soakServer) read(out io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var head struct{ ID *int }
		if err := json.Unmarshal(line, &head); err != nil {
			s.w.t.Errorf("%s wrote %.200q: %v", s.name, line, err)
			continue
		}
		if head.ID == nil {
			continue // a notification
		}
		s.mu.Lock()
		call := s.waiting[*head.ID]
		delete(s.waiting, *head.ID)
		s.mu.Unlock()
		if call == nil {
			s.w.t.Errorf("%s answered a request that is not open: %.200q", s.name, line)
			continue
		}
		if err := json.Unmarshal(line, &call.response); err != nil {
			s.w.t.Errorf("%s wrote %.200q: %v", s.name, line, err)
		}
		told := call.tells()
		s.mu.Lock()
		for _, one := range told {
			s.received[one.ask] = true
		}
		s.mu.Unlock()
		s.w.note("%v gave %.300q", call, call.response.Result.Content)
		close(call.done)
	}
}

// request sends a line. Its only verb is the request's id.
func (w *soak) request(s *soakServer, call *soakCall, line string) *soakCall {
	call.server, call.id, call.done = s, len(w.calls)+1, make(chan struct{})
	w.calls = append(w.calls, call)
	s.mu.Lock()
	s.waiting[call.id] = call
	s.mu.Unlock()
	w.note("%v is sent", call)
	_, _ = fmt.Fprintf(s.in, line+"\n", call.id) // a server that was told to end may have ended
	return call
}

// send calls a tool.
func (w *soak) send(s *soakServer, tool string, arguments map[string]any) *soakCall {
	w.t.Helper()
	told := s.told()
	for _, session := range w.sessions {
		for _, ask := range w.asks(session.id) {
			if !ask.Delivered.IsZero() {
				told[ask.ID] = true
			}
		}
	}
	return w.sendKnowing(told, s, tool, arguments)
}

// sendKnowing calls a tool at once. An agent knows the outcomes of the asks in
// told.
func (w *soak) sendKnowing(told map[string]bool, s *soakServer, tool string, arguments map[string]any) *soakCall {
	w.t.Helper()
	call := &soakCall{tool: tool, told: told}
	call.session, _ = arguments["sessionId"].(string)
	call.ask, _ = arguments["askId"].(string)
	call.claim, _ = arguments["claimId"].(string)
	call.withdraw, _ = arguments["withdraw"].(bool)
	if list, ok := arguments["questions"].([]any); ok {
		call.question, _ = list[0].(map[string]any)["id"].(string)
	}
	params, err := json.Marshal(map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.request(s, call, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":`+strings.ReplaceAll(string(params), "%", "%%")+`}`)
}

// told returns the asks whose outcome this server has told.
func (s *soakServer) told() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.received)
}

func (w *soak) cancel(call *soakCall) {
	call.cancelled = true
	w.note("%v is cancelled", call)
	_, _ = fmt.Fprintf(call.server.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", call.id)
}

// openSession opens a planb session in one of two projects.
func (w *soak) openSession(s *soakServer) {
	w.t.Helper()
	w.openSessionIn(s, filepath.Join(w.projects, fmt.Sprintf("project-%d", w.random.IntN(2))))
}

func (w *soak) openSessionIn(s *soakServer, project string) *soakCall {
	w.t.Helper()
	if err := os.MkdirAll(project, 0o700); err != nil {
		w.t.Fatal(err)
	}
	call := w.send(s, "init_planb_session", map[string]any{"title": "Soak", "projectPath": project})
	rig.Until(w.t, "the session is open", call.over)
	if !call.answered() {
		w.t.Fatalf("%s ended by itself:\n%s", s.name, s.log.Text())
	}
	match := rig.SessionLine.FindStringSubmatch(call.response.Result.Content[0].Text)
	if match == nil {
		w.t.Fatalf("init_planb_session gave %q", call.response.Result.Content)
	}
	w.sessions = append(w.sessions, soakSession{match[1], project})
	call.session = match[1]
	return call
}

// ending is how a server ends.
type ending string

const (
	byForce  ending = "kill -9"
	bySignal ending = "SIGTERM"
	byEOF    ending = "the end of its input"
)

// end ends a live server and reads its last output.
func (w *soak) end(i int, how ending) {
	w.t.Helper()
	s := w.servers[i]
	w.servers = append(w.servers[:i:i], w.servers[i+1:]...)
	w.note("%s ends by %s", s.name, how)
	select {
	case <-s.ended:
		w.t.Errorf("%s ended by itself:\n%s", s.name, s.log.Text())
	default:
	}
	begun := time.Now()
	var err error
	switch how {
	case byForce:
		err = s.cmd.Process.Kill()
	case bySignal:
		err = s.cmd.Process.Signal(syscall.SIGTERM)
	case byEOF:
		err = s.in.Close()
	}
	if err != nil {
		w.t.Errorf("%s, %s: %v", s.name, how, err)
	}
	select {
	case <-s.ended:
	case <-time.After(rig.Patience):
		w.t.Fatalf("%s goes on after %s", s.name, how)
	}
	err = s.cmd.Wait()
	if how == byForce {
		return
	}
	if err != nil {
		w.t.Errorf("%s ended with %v after %s:\n%s", s.name, err, how, s.log.Text())
	}
	if time.Since(begun) > leaveTime-100*time.Millisecond {
		return // on a machine as busy as this it may have run out of time
	}
	for id := range s.received {
		if ask := w.one(id); ask.Delivered.IsZero() && ask.Outcome.State != questions.Withdrawn {
			w.t.Errorf("%s told the outcome of ask %s and ended well, and the store does not know", s.name, id)
		}
	}
}

// leaveTime is the longest that a server may take to end.
const leaveTime = 2 * time.Second

// telling is an outcome in a result.
type telling struct {
	ask     string
	main    bool   // the call was about this outcome
	project string // the session it was announced from, if that is another one
	text    string // its words, with its items joined
}

var announced = regexp.MustCompile(`(?s)^(?:From session ([0-9a-f-]{36}) of this project, "[^"]*": )?An earlier question was (?:answered|replied to|declined) \(askId ([0-9a-f-]{36})\): (.*)$`)

// named matches a sentence that only names an outcome, because it is too long
// to be told beside others.
var named = regexp.MustCompile(`(?s)^(?:From session [0-9a-f-]{36} .*: )?An earlier question was \S+(?: \S+)? \(askId ([0-9a-f-]{36})\)\. It is too long to be told here: call get_answer `)

// ofTasks matches what an agent is told beside a result of what became of its tasks.
var ofTasks = regexp.MustCompile(`(?s)^(?:Your user (?:took|approved other words for) "|Your changes to the plan "|The claim on ").* \((?:taskId|planId) [0-9a-f-]{36}\)`)

// names lists the asks whose outcomes the call's result only names.
func (c *soakCall) names() (ids []string) {
	for _, item := range c.response.Result.Content {
		if match := named.FindStringSubmatch(item.Text); match != nil {
			ids = append(ids, match[1])
		}
	}
	return ids
}

// tells lists the outcomes in the call's result. It reads the text, as an agent
// does. Only the id of the call's own ask comes from the data beside the text.
func (c *soakCall) tells() []telling {
	var list []telling
	var own []string
	for _, item := range c.response.Result.Content {
		if match := announced.FindStringSubmatch(item.Text); match != nil {
			list = append(list, telling{ask: match[2], project: match[1], text: match[3]})
			continue
		}
		if !named.MatchString(item.Text) && !ofTasks.MatchString(item.Text) {
			own = append(own, item.Text)
		}
	}
	if data := c.data(); data.State.Final() && data.State != questions.Withdrawn {
		list = append(list, telling{ask: data.Ask, main: true, text: strings.Join(own, "\n")})
	}
	return list
}

func (c *soakCall) data() soakData { return c.response.Result.Meta["planb/result"] }
