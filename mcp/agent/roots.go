package agent

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/wire"
)

// rootsTime is how long a client may take to name its roots before calls go on
// without them.
const rootsTime = 2 * time.Second

// rootsQuestion is one roots/list request. All calls that need the roots wait for the
// same one. A late reply still counts for the calls that follow it.
type rootsQuestion struct {
	asked    time.Time
	answered chan struct{} // closed when the client has replied
	roots    []string      // set before answered is closed
}

// clientRoots is what a client says of its root directories.
type clientRoots struct {
	mu       sync.Mutex
	question *rootsQuestion // nil: the client is to be asked
}

// roots are the client's root directories. The client is asked for them once, and
// again after it said that they changed. There are none before it has answered.
func (a *Agent) roots(ctx context.Context) []string {
	if !a.namesRoots(ctx) {
		return nil
	}
	question := a.rootsQuestion()
	a.awaitRoots(ctx, question)
	select {
	case <-question.answered:
		return question.roots
	default:
		return nil
	}
}

// namesRoots reports whether the client may be asked for its roots. Protocol versions
// from 2026-07-28 on let no server ask.
func (a *Agent) namesRoots(ctx context.Context) bool {
	if request := server.RequestProtocolInfoFromContext(ctx); request != nil && request.Modern {
		return false
	}
	return a.GetClientCapabilities().Roots != nil
}

// rootsQuestion returns the question that counts now, and asks it first if there is
// none.
func (a *Agent) rootsQuestion() *rootsQuestion {
	a.clientRoots.mu.Lock()
	defer a.clientRoots.mu.Unlock()
	if a.question == nil {
		question := &rootsQuestion{asked: time.Now(), answered: make(chan struct{})}
		a.question = question
		a.Background(func() { a.askRoots(question) })
	}
	return a.question
}

// RootsChanged makes planb ask the client for its roots again. Calls that already wait
// for the earlier request still get its reply.
func (a *Agent) RootsChanged() {
	a.clientRoots.mu.Lock()
	defer a.clientRoots.mu.Unlock()
	a.question = nil
}

func (a *Agent) askRoots(question *rootsQuestion) {
	_, err := a.Request(string(sdk.MethodListRoots), nil, func(reply wire.Reply) {
		question.roots = a.rootsIn(reply)
		close(question.answered)
	})
	if err != nil {
		a.cfg.Log.Warn("the client could not be asked for its roots", "error", err)
	}
}

// awaitRoots waits for the reply, parked, until the client's time for it is over.
func (a *Agent) awaitRoots(ctx context.Context, question *rootsQuestion) {
	ctx, cancel := context.WithDeadline(ctx, question.asked.Add(rootsTime))
	defer cancel()
	select {
	case <-question.answered:
		return
	case <-ctx.Done():
		return
	default:
	}
	if asking, ok := wire.CallFrom(ctx); ok {
		defer asking.Park()()
	}
	select {
	case <-question.answered:
	case <-ctx.Done():
		a.cfg.Log.Warn("the client has not named its roots in time", "error", ctx.Err())
	case <-a.Closing():
	}
}

// rootsIn are the directories that the reply names.
func (a *Agent) rootsIn(reply wire.Reply) (roots []string) {
	if reply.Refused() {
		a.cfg.Log.Warn("the client refused to name its roots", "error", string(reply.Problem))
		return nil
	}
	var listed struct {
		Roots []struct {
			URI string `json:"uri"`
		} `json:"roots"`
	}
	if err := json.Unmarshal(reply.Result, &listed); err != nil {
		a.cfg.Log.Warn("the client's roots could not be read", "error", err)
		return nil
	}
	for _, root := range listed.Roots {
		if path := PathOf(root.URI); path != "" {
			roots = append(roots, path)
		}
	}
	return roots
}

// PathOf returns the absolute path a file URI names, else "".
func PathOf(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil || parsed.Scheme != "file" {
		return ""
	}
	path := parsed.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:] // file:///C:/dir
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}
