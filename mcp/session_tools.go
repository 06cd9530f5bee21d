package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"planb/mcp/agent"
	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
)

// sessions is what the tools need of the store's sessions.
type sessions interface {
	CreateSession(ctx context.Context, session store.Session) (store.Session, error)
	Session(ctx context.Context, id string) (store.Session, error)
	Undelivered(ctx context.Context, session string) ([]store.Ask, error)
	UndeliveredIn(ctx context.Context, scope store.Scope) ([]store.Ask, error)
	Waiting(ctx context.Context) ([]store.Ask, error)
	AliveAny(ctx context.Context, prefix kv.Key) (bool, error)
	AwaitDead(ctx context.Context, prefix kv.Key) error
}

// asking has the tools of a planning session that ask its user.
type asking struct {
	store   askStore
	log     *slog.Logger
	env     func(name string) string
	timeout time.Duration // how long a question may stay unanswered
	copies  planfile.Copies
	wait    *waiting
}

// askStore is what these tools need of the store.
type askStore interface {
	sessions
	forms
	outcomes
	asks
	Scope(ctx context.Context, dirs ...string) (store.Scope, error)
	Asks(ctx context.Context, session string) ([]store.Ask, error)
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
}

// sessionTools are the tools of a planning session.
func (s *asking) sessionTools() []tool.Tool {
	return []tool.Tool{
		{
			Name: "init_planb_session", Title: "Start a planning session",
			Description: initDescription, Schema: initSchema, Serve: s.initSession,
		},
		{
			Name: "ask_user", Title: "Ask the user (form in their terminal)",
			Description: askDescription, Schema: askSchema, Serve: s.askUser,
		},
		{
			Name: "get_answer", Title: "Wait for or look at an answer",
			Description: answerDescription, Schema: answerSchema, Hints: tool.Hints{Idempotent: true}, Serve: s.getAnswer,
		},
	}
}

// Limits of what describes a session. It is for lists, and read with each.
const (
	maxIntentBytes = 16 << 10
	maxPathBytes   = 4 << 10
)

// sessionData is a session that was begun, as data.
type sessionData struct {
	Session string `json:"sessionId,omitempty"`
	Project string `json:"projectPath,omitempty"`
	tool.Facts
	StillOpen []string `json:"stillOpen,omitempty"` // asks of earlier sessions of the project
	Unread    []string `json:"unread,omitempty"`    // asks of other sessions whose answers are for other agents
}

// initSession serves init_planb_session.
func (s *asking) initSession(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("init_planb_session", raw)
	title := args.Text("title")
	intent := args.Text("intent", "description", "goal")
	project := args.Text("projectPath", "project", "cwd", "path")
	args.Limit("title", title, questions.MaxTitleBytes)
	args.Limit("intent", intent, maxIntentBytes)
	args.Limit("projectPath", project, maxPathBytes)
	if project != "" {
		project = s.path(args, project)
	}
	if problems := args.Finish(); problems != "" {
		return tool.Failed("", problems)
	}
	if project == "" {
		project = c.Agent.Dirs(ctx)[0]
	}
	// Looked up before the new session wakes whoever watches the store: what is
	// read after that waits for them.
	own := s.ownProject(ctx, c, project)
	open := s.openIn(ctx, c, own)
	session, err := s.store.CreateSession(ctx, store.Session{
		Title: safe.New(title), Intent: safe.New(intent), Project: safe.New(project), Client: c.Agent.Client(ctx),
	})
	if err != nil {
		return tool.NotStored("", "The session could not be created", err)
	}
	c.Agent.MakeSession(session.ID)
	go func() {
		// The first question should not wait for the multiplexer to say where
		// it belongs; if it can't say, that question hears of it.
		_, _ = s.wait.stage.opener.Place(context.WithoutCancel(ctx))
	}()
	data := &sessionData{Session: session.ID, Project: project}
	answer := &tool.Result{
		Items: []string{"sessionId: " + session.ID +
			"\nPass this sessionId to every other planb call for this piece of work."},
		Data: data,
	}
	data.Unread = s.announceProject(ctx, c, own, answer)
	for _, ask := range open {
		answer.Items = append(answer.Items, openText(ask.Ask, ask.waited))
		data.StillOpen = append(data.StillOpen, ask.ID)
	}
	return answer
}

// ownProject is the scope of the project of a directory, if the connection sees
// that; else an empty one. What other sessions there asked and were answered is
// nobody's business who only names a path.
func (s *asking) ownProject(ctx context.Context, c *tool.Caller, dir string) store.Scope {
	sight, err := c.Agent.Sight(ctx)
	var named store.Scope
	if err == nil {
		named, err = s.store.Scope(ctx, dir)
	}
	if err != nil {
		s.log.Warn("what the project has open and unread could not be looked up", "project", dir, "error", err)
		return store.Scope{}
	}
	if !sight.Sees(named) {
		return store.Scope{}
	}
	return named
}

// path is the project's path that a model named, also by a file URI or from the
// user's home directory. A relative one is refused: the server's working directory
// need not be the agent's. So is one that is no directory here, by which no other
// session of the project would find what was asked.
func (s *asking) path(args *tool.Arguments, named string) string {
	if path := agent.PathOf(named); path != "" {
		named = path
	}
	if rest, ok := strings.CutPrefix(named, "~"); ok && (rest == "" || rest[0] == '/') {
		if home := s.env("HOME"); filepath.IsAbs(home) {
			named = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(named) {
		args.Problem("projectPath must be an absolute path; got %s. Pass one, or leave it out: it is the client's project then.", tool.Shortened(strconv.Quote(named)))
		return ""
	}
	info, err := os.Stat(named)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		args.Problem("projectPath is %q, and there is no such directory. Pass the path of one, or leave it out: it is the client's project then.", named)
	}
	return filepath.Clean(named)
}

// announceProject adds what other sessions of the project were answered and never
// got: the answers where their agents are gone, else only that there are some.
func (s *asking) announceProject(ctx context.Context, c *tool.Caller, project store.Scope, answer *tool.Result) (unreadIDs []string) {
	earlier, err := s.store.UndeliveredIn(ctx, project)
	if err != nil {
		s.log.Warn("earlier answers of the project could not be looked up", "error", err)
		return nil
	}
	var unread []store.Ask
	s.announce(ctx, answer, earlier, func(ask store.Ask) bool {
		ours := c.Agent.MayInherit(ctx, ask) && c.Agent.AskerGone(ctx, ask.ID)
		if !ours && !s.wait.hub.waited(ask.ID) && !s.wait.deliveries.running(ask.ID) {
			unread = append(unread, ask)
		}
		return !ours
	}, func(ask store.Ask) string {
		return fmt.Sprintf("From session %s of this project, %q: ", ask.Session, ask.Spec.Title.Raw())
	})
	for _, ask := range unread[max(0, len(unread)-maxOpenNamed):] {
		answer.Items = append(answer.Items, unreadText(ask))
		unreadIDs = append(unreadIDs, ask.ID)
	}
	return unreadIDs
}

// Of a project's open asks only some are named, newest first, and only so many
// looks taken at them: each is a read, and hundreds may wait.
const (
	maxOpenNamed = 5
	maxOpenLooks = 20
)

// namedAsk is an open ask that a new session is told of.
type namedAsk struct {
	store.Ask
	waited bool // another agent is to learn the answer, or another call
}

// openIn returns what earlier sessions of the project have asked and nobody has
// answered: an agent whose context was cut short, or that was started anew, knows
// neither the ask nor the session.
func (s *asking) openIn(ctx context.Context, c *tool.Caller, project store.Scope) (named []namedAsk) {
	open, err := s.store.Waiting(ctx)
	if err != nil {
		s.log.Warn("open questions of the project could not be looked up", "error", err)
		return nil
	}
	projects := map[string]bool{} // by session id
	looks := 0
	for _, ask := range slices.Backward(open) {
		if len(named) == maxOpenNamed || looks >= maxOpenLooks {
			break
		}
		if ask.Err != nil {
			continue
		}
		same, known := projects[ask.Session]
		if !known {
			looks++
			session, err := s.store.Session(ctx, ask.Session)
			same = err == nil && project.Has(session)
			projects[ask.Session] = same
		}
		if !same {
			continue
		}
		looks++
		waited := s.wait.hub.waited(ask.ID)
		if !c.Agent.IsAsking(ask.ID) { // a claim of its own may outlive the call that waited
			waited = waited || !c.Agent.AskerGone(ctx, ask.ID)
		}
		named = append(named, namedAsk{ask, waited})
	}
	return named
}

// announce adds outcomes the agent has not learned to a result, except those
// that reach it another way. What is said of one begins with from.
func (s *asking) announce(ctx context.Context, answer *tool.Result, earlier []store.Ask, except func(store.Ask) bool, from func(store.Ask) string) {
	earlier = slices.DeleteFunc(earlier, func(ask store.Ask) bool { return except(ask) || s.wait.deliveries.running(ask.ID) })
	missed, err := s.missed(ctx, earlier)
	if err != nil {
		s.log.Warn("earlier answers could not be read", "error", err)
		return
	}
	for _, ask := range missed {
		answer.Earlier = append(answer.Earlier, tool.Announcement{
			Ask: ask, Data: dataOf(ask), Text: from(ask) + earlierText(ask), Hint: from(ask) + earlierHint(ask),
		})
	}
}

// forms is what ask_user and get_answer need of the store's asks.
type forms interface {
	OpenAsk(ctx context.Context, ask store.Ask) (store.Ask, bool, error)
	FindAsk(ctx context.Context, idOrShort string) (store.Ask, error)
	Due(ctx context.Context, session string) ([]store.Ask, error)
}

// askUser serves ask_user.
func (s *asking) askUser(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	sessionID, problem := sessionOf(raw)
	spec, err := questions.Parse(raw)
	if problem != "" {
		return tool.Failed("", joinProblems(problem, err))
	}
	session, failure := s.session(ctx, c, sessionID, "ask_user")
	switch {
	case failure != nil && failure.Unknown:
		return tool.Failed("", joinProblems(failure.Items[0], err))
	case failure != nil:
		return failure
	case err != nil:
		return tool.Failed(session.ID, err.Error())
	}
	return s.ask(ctx, c, session.ID, spec)
}

// ask brings a form before the person and waits for what becomes of it.
func (s *asking) ask(ctx context.Context, c *tool.Caller, sessionID string, spec questions.Spec) *tool.Result {
	if answer := s.wait.calledAgain(ctx, c, sessionID, spec); answer != nil {
		return answer
	}
	place, err := s.wait.place(ctx)
	if err != nil {
		s.log.Warn("where the form belongs could not be found out", "error", err)
	}
	ask, err := s.openAsk(ctx, store.Ask{
		Session: sessionID, Spec: spec, Place: place, Client: c.Agent.Client(ctx), Timeout: s.timeout,
	})
	if many, ok := errors.AsType[*store.TooManyError](err); ok {
		due, err := s.store.Due(ctx, sessionID)
		if err != nil {
			s.log.Warn("a session's open questions could not be looked up", "session", sessionID, "error", err)
		}
		return tool.Failed(sessionID, tooManyText(many.Open, due))
	}
	if err != nil {
		return tool.Failed(sessionID, notAskedText(s.copies.Dir, err))
	}
	if !ask.Open() {
		return outcomeOf(ask)
	}
	c.Agent.Asks(ask.ID)
	s.wait.expiries.restart(ask)
	s.wait.stage.setPush(ask.ID, pushedOnce)
	if err := s.wait.show(c, ask); err != nil && c.Context().Err() == nil {
		return s.wait.cannotShow(c, ask, err, s.wait.limit(ctx, c))
	}
	return s.wait.await(c, ask, s.wait.limit(ctx, c), nil)
}

// openAsk stores the ask, or finds the same one. One whose answer is on its way
// to the client, or has arrived there meanwhile, is asked anew.
func (s *asking) openAsk(ctx context.Context, ask store.Ask) (store.Ask, error) {
	for {
		opened, attached, err := s.store.OpenAsk(ctx, ask)
		if err != nil || !attached || opened.Open() {
			return opened, err
		}
		s.wait.deliveries.settled(ctx, opened.ID)
		missed, err := s.missed(ctx, []store.Ask{opened})
		if err != nil || len(missed) > 0 {
			return opened, err
		}
	}
}

// missed returns those of the asks whose outcome the agent has not learned as
// of now.
func (s *asking) missed(ctx context.Context, asks []store.Ask) ([]store.Ask, error) {
	if len(asks) == 0 {
		return nil, nil
	}
	ids := make([]string, len(asks))
	for i, ask := range asks {
		ids[i] = ask.ID
	}
	now, err := s.store.AsksNow(ctx, ids...)
	if err != nil {
		return nil, err
	}
	var missed []store.Ask
	for i, ask := range asks {
		if now[i].Undelivered() {
			missed = append(missed, ask)
		}
	}
	return missed, nil
}

// session returns the session that a tool is called for, or what to tell the model.
// A session that the connection does not see is unknown to it: the tool would write
// into another project.
func (s *asking) session(ctx context.Context, c *tool.Caller, id, named string) (store.Session, *tool.Result) {
	session, failure := s.anySession(ctx, id, named)
	if failure != nil {
		return store.Session{}, failure
	}
	seen, err := c.Agent.Sees(ctx, session.ID)
	switch {
	case err != nil:
		return store.Session{}, tool.NotStored("", "Whose session it is could not be read", err)
	case !seen:
		return store.Session{}, unknownSession(id, named)
	}
	return session, nil
}

// anySession is session for a tool that only reads: it returns a session of another
// project, too.
func (s *asking) anySession(ctx context.Context, id, named string) (store.Session, *tool.Result) {
	session, err := s.store.Session(ctx, id)
	if errors.As(err, new(*store.UnknownError)) {
		return store.Session{}, unknownSession(id, named)
	}
	if err != nil {
		return store.Session{}, tool.NotStored("", "The session could not be read", err)
	}
	return session, nil
}

func unknownSession(id, named string) *tool.Result {
	failure := tool.Failed("", unknownSessionText(id, named))
	failure.Unknown = true
	return failure
}

// knownSession returns the session's id if there is one and the connection sees it,
// else "".
func (s *asking) knownSession(ctx context.Context, c *tool.Caller, id string) string {
	if id == "" {
		return ""
	}
	session, failure := s.session(ctx, c, id, "")
	if failure != nil {
		return ""
	}
	return session.ID
}

// sessionHint says where a session's id comes from.
const sessionHint = "pass the id that init_planb_session returned; call that first, once"

// sessionOf reads sessionId from arguments whose rest is for another reader:
// that they are no object is for that one to say.
func sessionOf(raw json.RawMessage) (id, problem string) {
	args := tool.ReadArguments("ask_user", raw)
	id = args.Required("sessionId", sessionHint)
	if n := len(args.Problems); n > 0 {
		return "", args.Problems[n-1]
	}
	return id, ""
}

// joinProblems adds what is wrong with the form, if anything is.
func joinProblems(problem string, err error) string {
	if err == nil {
		return problem
	}
	return problem + "\n" + err.Error()
}
