package asking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// initTool is init_planb_session.
func (s *toolset) initTool() tool.Tool {
	return tool.Tool{
		Name: "init_planb_session", Title: "Start a planning session",
		Description: initDescription, Schema: initSchema, Serve: s.initSession,
	}
}

const initDescription = "Start a planning session, once for a piece of work. Returns the sessionId that ask_user, get_answer and save_plan need. " +
	"Opens nothing. Names answers that earlier sessions of the project never received, and their open questions."

const initSchema = `{"type":"object","properties":{` +
	`"title":{"type":"string","description":"A few words for the user's list of sessions"},` +
	`"intent":{"type":"string","description":"What the user wants to achieve"},` +
	`"projectPath":{"type":"string","description":"Absolute path of the project; by default the client's"}}}`

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
func (s *toolset) initSession(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
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
	// This read comes before the new session is stored. Storing it wakes all watchers
	// of the store, and a later read would wait for theirs.
	own := s.ownProject(ctx, c, project)
	open := s.openIn(ctx, c, own)
	session, err := s.Store.CreateSession(ctx, store.Session{
		Title: safe.New(title), Intent: safe.New(intent), Project: safe.New(project), Client: c.Agent.Client(ctx),
	})
	if err != nil {
		return tool.NotStored("", "The session could not be created", err)
	}
	c.Agent.MakeSession(session.ID)
	s.Room.FindPlace(ctx)
	data := &sessionData{Session: session.ID, Project: project}
	answer := &tool.Result{
		Items: []string{"sessionId: " + session.ID +
			"\nPass this sessionId to every planb call for this piece of work that takes one."},
		Data: data,
	}
	data.Unread = s.announceProject(ctx, c, own, answer)
	for _, ask := range open {
		answer.Items = append(answer.Items, openText(ask.Ask, ask.waited))
		data.StillOpen = append(data.StillOpen, ask.ID)
	}
	if s.Unfinished != nil && s.seesProject(ctx, c, project) {
		answer.Items = append(answer.Items, s.Unfinished(ctx, project)...)
	}
	return answer
}

// ownProject is the scope of a directory's project if the connection sees that project,
// else an empty scope: naming a path gives no right to read the answers given there.
func (s *toolset) ownProject(ctx context.Context, c *tool.Caller, dir string) store.Scope {
	sight, err := c.Agent.Sight(ctx)
	var named store.Scope
	if err == nil {
		named, err = s.Store.Scope(ctx, dir)
	}
	if err != nil {
		s.Log.Warn("what the project has open and unread could not be looked up", "project", dir, "error", err)
		return store.Scope{}
	}
	if !sight.Sees(named) {
		return store.Scope{}
	}
	return named
}

// seesProject reports whether the connection sees the project of a directory.
func (s *toolset) seesProject(ctx context.Context, c *tool.Caller, dir string) bool {
	sight, err := c.Agent.Sight(ctx)
	if err != nil {
		return false // told by ownProject
	}
	named, err := s.Store.Scope(ctx, dir)
	return err == nil && sight.Sees(named)
}

// path is the project's path that a model named, perhaps as a file URI or with ~. It
// refuses a relative path, because the server's working directory need not be the agent's,
// and a path that is no directory here, because no other session of the project would find
// the asks.
func (s *toolset) path(args *tool.Arguments, named string) string {
	if path := agent.PathOf(named); path != "" {
		named = path
	}
	if rest, ok := strings.CutPrefix(named, "~"); ok && (rest == "" || rest[0] == '/') {
		if home := s.Env("HOME"); filepath.IsAbs(home) {
			named = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(named) {
		args.Problem("projectPath must be an absolute path; got %s. Pass one, or leave it out: it is the client's project then.", tool.Shortened(strconv.Quote(named)))
		return ""
	}
	info, err := os.Stat(named)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err == nil && !info.IsDir() {
		args.Problem("projectPath is %q, and there is no such directory. Pass the path of one, or leave it out: it is the client's project then.", named)
	}
	return filepath.Clean(named)
}

// announceProject tells of answers that other sessions of the project never received. It
// gives the whole answers if their agents are gone; else it says only that there are
// answers.
func (s *toolset) announceProject(ctx context.Context, c *tool.Caller, project store.Scope, answer *tool.Result) (unreadIDs []string) {
	earlier, err := s.Store.UndeliveredIn(ctx, project)
	if err != nil {
		s.Log.Warn("earlier answers of the project could not be looked up", "error", err)
		return nil
	}
	var inherited, unread []store.Ask
	for _, ask := range earlier {
		switch {
		case s.Room.InHand(ask.ID):
		case c.Agent.MayInherit(ctx, ask) && c.Agent.AskerGone(ctx, ask.ID):
			inherited = append(inherited, ask)
		default:
			unread = append(unread, ask)
		}
	}
	s.Room.Announce(ctx, answer, inherited, func(ask store.Ask) string {
		return fmt.Sprintf("From session %s of this project, %q: ", ask.Session, ask.Spec.Title.Raw())
	})
	for _, ask := range unread[max(0, len(unread)-maxOpenNamed):] {
		answer.Items = append(answer.Items, unreadText(ask))
		unreadIDs = append(unreadIDs, ask.ID)
	}
	return unreadIDs
}

// A result names only some of a project's open asks, the newest first. The tool looks at
// only so many: each look is a read, and hundreds may wait.
const (
	maxOpenNamed = 5
	maxOpenLooks = 20
)

// namedAsk is an open ask that a new session is told of.
type namedAsk struct {
	store.Ask
	waited bool // another agent, or another call, is to get the answer
}

// openIn returns the open asks of earlier sessions of the project. An agent whose context
// was cut short, or that was started anew, knows neither the ask nor its session.
func (s *toolset) openIn(ctx context.Context, c *tool.Caller, project store.Scope) (named []namedAsk) {
	open, err := s.Store.Waiting(ctx)
	if err != nil {
		s.Log.Warn("open questions of the project could not be looked up", "error", err)
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
			session, err := s.Store.Session(ctx, ask.Session)
			same = err == nil && project.Has(session)
			projects[ask.Session] = same
		}
		if !same {
			continue
		}
		looks++
		waited := s.Room.InHand(ask.ID)
		if !c.Agent.IsAsking(ask.ID) { // a claim of its own may outlive the call that waited
			waited = waited || !c.Agent.AskerGone(ctx, ask.ID)
		}
		named = append(named, namedAsk{ask, waited})
	}
	return named
}

// openText names an open question of an earlier session.
func openText(ask store.Ask, waited bool) string {
	if waited {
		return fmt.Sprintf("Session %s of this project has a question open, %q (askId %s), that the user has not answered yet. "+
			"Its answer goes to the agent that asked; leave it to that one.", ask.Session, ask.Spec.Title.Raw(), ask.ID)
	}
	return fmt.Sprintf("Session %s of this project has a question open, %q, that the user has not answered yet. "+
		"If you still need the answer, call get_answer {\"askId\":%q}; else leave it to the user.",
		ask.Session, ask.Spec.Title.Raw(), ask.ID)
}

// unreadText names a question of another session that was answered for another agent.
func unreadText(ask store.Ask) string {
	return fmt.Sprintf("The user %s %q (session %s). The answer is for the agent that asked; "+
		"to read it, call get_answer {\"askId\":%q}.", ask.Outcome.State.Standing(ask.Spec.Plan != nil).Short, ask.Spec.Title.Raw(), ask.Session, ask.ID)
}
