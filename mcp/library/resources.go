package library

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/agent"
	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/mcp/wire"
	"planb/questions/safe"
	"planb/store"
	"planb/store/tasks"
)

// Store is what resources need of the store.
type Store interface {
	Sessions(ctx context.Context, after string, limit int) (list []store.Session, next string, err error)
	Session(ctx context.Context, id string) (store.Session, error)
	Asks(ctx context.Context, session string) ([]store.Ask, error)
	Ask(ctx context.Context, id string) (store.Ask, error)
	Plans(ctx context.Context, session string) ([]store.Plan, error)
	PlanText(ctx context.Context, session string, number int) (safe.Text, error)
	Watch(ctx context.Context) (<-chan struct{}, error)
	Tasks() *tasks.Store
}

// Library is what the store holds, as resources.
type Library struct {
	store  Store
	copies planfile.Copies
	log    *slog.Logger
	tasks  bool // the plans of tasks are resources, too
}

// New returns the library of a store. It writes no copies of plans, and names those
// that exist.
func New(s Store, copies planfile.Copies, log *slog.Logger) *Library {
	return &Library{store: s, copies: copies, log: log}
}

// The URIs of resources. They are part of what planb promises.
const (
	sessionsURI     = "planb://sessions"
	sessionTemplate = sessionsURI + "/{id}"
	planTemplate    = sessionTemplate + "/plans/{n}"
	askTemplate     = sessionTemplate + "/asks/{askId}"
)

func sessionURI(session string) string { return sessionsURI + "/" + session }
func planURI(session string, number int) string {
	return fmt.Sprintf("%s/plans/%d", sessionURI(session), number)
}
func askURI(session, ask string) string { return sessionURI(session) + "/asks/" + ask }

const (
	markdownType = "text/markdown"
	jsonType     = "application/json"
)

// resource is what a URI names.
type resource struct {
	session string
	plan    int    // 0: none
	ask     string // "": none
	tasks   bool   // plans of tasks, or the one with this id
	planID  string
}

// parseURI parses the URI of a resource; ok is false if it is not one of planb's.
func parseURI(uri string) (r resource, ok bool) {
	switch plan, ofTasks := strings.CutPrefix(uri, tasksURI+"/"); {
	case uri == sessionsURI:
		return resource{}, true
	case uri == tasksURI:
		return resource{tasks: true}, true
	case ofTasks:
		return resource{tasks: true, planID: plan}, plan != ""
	}
	path, ours := strings.CutPrefix(uri, sessionsURI+"/")
	parts := strings.Split(path, "/")
	if !ours || parts[0] == "" {
		return resource{}, false
	}
	r.session = parts[0]
	switch {
	case len(parts) == 1:
		return r, true
	case len(parts) == 3 && parts[1] == "plans":
		n, err := strconv.Atoi(parts[2])
		r.plan = n
		return r, err == nil && n > 0
	case len(parts) == 3 && parts[1] == "asks":
		r.ask = parts[2]
		return r, r.ask != ""
	}
	return resource{}, false
}

// Offer adds the resources and their templates to the protocol's server; those of tasks only on
// demand. Without it, nobody can read or follow them.
func (l *Library) Offer(sdkServer *server.MCPServer, ofTasks bool) {
	l.tasks = ofTasks
	if ofTasks {
		l.offerTasks(sdkServer)
	}
	sdkServer.AddResource(sdk.NewResource(sessionsURI, "sessions",
		sdk.WithResourceTitle("Planning sessions"),
		sdk.WithResourceDescription("All planb sessions of your project, newest first: what each is about, and where to read on. Look here for what was decided before asking again."),
		sdk.WithMIMEType(markdownType)), l.readResource)
	for _, t := range []struct{ uri, name, title, description, mime string }{
		{sessionTemplate, "session", "A session", "What was asked in a session, the answers, and its plan's versions.", markdownType},
		{planTemplate, "plan", "A plan's version", "The Markdown of one version of a session's plan.", markdownType},
		{askTemplate, "ask", "A form and its answers", "The questions of a form, the answers, notes, and who gave them when.", jsonType},
		{restTemplate, "rest", "The rest of a long text", "Any of these from one character on, if it is too long to be read at once.", markdownType},
	} {
		sdkServer.AddResourceTemplate(sdk.NewResourceTemplate(t.uri, t.name,
			sdk.WithTemplateTitle(t.title), sdk.WithTemplateDescription(t.description), sdk.WithTemplateMIMEType(t.mime)), l.readResource)
	}
}

// readResource serves resources/read.
func (l *Library) readResource(ctx context.Context, request sdk.ReadResourceRequest) ([]sdk.ResourceContents, error) {
	c, ok := tool.RequestFrom(ctx)
	if !ok {
		return nil, fmt.Errorf("%s was read outside a connection", request.Params.URI)
	}
	uri, offset, ok := splitOffset(request.Params.URI)
	if !ok {
		return nil, errNoResource
	}
	text, mime, err := l.resourceText(ctx, c.Agent, uri)
	if err == nil {
		var contents []sdk.ResourceContents
		if contents, err = l.resourcePart(ctx, c, uri, text, mime, offset); err == nil {
			return contents, nil
		}
	}
	if !isNoResource(err) {
		err = fmt.Errorf("%s cannot be read: %s", request.Params.URI, tool.OneLine(err.Error()))
	}
	return nil, err
}

// errNoResource says that a URI names nothing.
var errNoResource = errors.New("there is no such resource")

// resourceText returns what a URI names, and its MIME type. A resource that the
// connection may not see does not exist for it.
func (l *Library) resourceText(ctx context.Context, a *agent.Agent, uri string) (text, mime string, err error) {
	r, ok := parseURI(uri)
	if !ok {
		return "", "", errNoResource
	}
	switch {
	case r.tasks && !l.tasks:
		return "", "", errNoResource
	case r.planID != "":
		text, err = l.tasksText(ctx, a, r.planID)
		return text, markdownType, err
	case r.tasks:
		text, err = l.plansText(ctx, a)
		return text, markdownType, err
	}
	sight, err := a.Sight(ctx)
	if err != nil {
		return "", "", err
	}
	if r.session == "" {
		text, err = l.sessionsText(ctx, sight)
		return text, markdownType, err
	}
	switch seen, err := sight.HasID(ctx, r.session); {
	case err != nil:
		return "", "", err
	case !seen:
		return "", "", errNoResource
	}
	switch {
	case r.plan > 0:
		plan, err := l.store.PlanText(ctx, r.session, r.plan)
		return plan.Raw(), markdownType, err
	case r.ask != "":
		ask, err := l.store.Ask(ctx, r.ask)
		if err == nil && !strings.EqualFold(ask.Session, r.session) {
			err = errNoResource
		}
		if err != nil {
			return "", "", err
		}
		text, err = askResource(ask)
		return text, jsonType, err
	}
	text, err = l.sessionText(ctx, r.session)
	return text, markdownType, err
}

// isNoResource reports whether the error says that a resource does not exist.
func isNoResource(err error) bool {
	unknown := new(store.UnknownError)
	return errors.As(err, &unknown) || errors.Is(err, errNoResource) || errors.Is(err, server.ErrResourceNotFound)
}

// Refuse sets the error of a call that reads or follows a resource that does not
// exist, or follows too many. The protocol library would choose another code.
func Refuse(ctx context.Context, _ any, _ sdk.MCPMethod, request any, err error) {
	c, ok := tool.RequestFrom(ctx)
	if !ok {
		return
	}
	var uri string
	switch request := request.(type) {
	case *sdk.ReadResourceRequest:
		uri = request.Params.URI
	case *sdk.SubscribeRequest:
		uri = request.Params.URI
	default:
		return
	}
	switch {
	case isNoResource(err):
		c.Refused = noResource(ctx, uri)
	case errors.Is(err, errFollowsMost):
		c.Refused = &wire.Error{Code: wire.CodeInvalidRequest, Message: errFollowsMost.Error()}
	}
}

// draftsURI lists the drafts, where they are offered.
const draftsURI = "planb://drafts"

// listOf is the resource that lists those which the URI looks like one of. A list that there is
// not leads on to the sessions, which there always are.
func listOf(uri string) string {
	for _, list := range []string{tasksURI, draftsURI} {
		if strings.HasPrefix(uri, list+"/") {
			return list
		}
	}
	return sessionsURI
}

// noResource says that a resource does not exist. The code depends on the protocol's
// version.
func noResource(ctx context.Context, uri string) *wire.Error {
	code := sdk.RESOURCE_NOT_FOUND
	if sdk.IsModernProtocol(server.RequestProtocolVersion(ctx)) {
		code = sdk.INVALID_PARAMS
	}
	return &wire.Error{
		Code:    code,
		Message: fmt.Sprintf("There is no resource %q. Read %s for those there are.", uri, listOf(uri)),
		Data:    map[string]string{"uri": uri},
	}
}
