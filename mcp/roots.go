package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
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

// roots are the client's root directories. The client is asked for them once, and
// again after it said that they changed. There are none before it has answered.
func (c *conn) roots(ctx context.Context) []string {
	if !c.namesRoots(ctx) {
		return nil
	}
	question := c.rootsQuestion()
	c.awaitRoots(ctx, question)
	select {
	case <-question.answered:
		return question.roots
	default:
		return nil
	}
}

// namesRoots reports whether the client may be asked for its roots. Protocol versions
// from 2026-07-28 on let no server ask.
func (c *conn) namesRoots(ctx context.Context) bool {
	if request := server.RequestProtocolInfoFromContext(ctx); request != nil && request.Modern {
		return false
	}
	return c.GetClientCapabilities().Roots != nil
}

// rootsQuestion returns the question that counts now, and asks it first if there is
// none.
func (c *conn) rootsQuestion() *rootsQuestion {
	c.state.Lock()
	defer c.state.Unlock()
	if c.state.roots == nil {
		question := &rootsQuestion{asked: time.Now(), answered: make(chan struct{})}
		c.state.roots = question
		c.background(func() { c.askRoots(question) })
	}
	return c.state.roots
}

// rootsChanged has the client asked again. A reply to the question before is for the
// calls that wait for it already.
func (c *conn) rootsChanged() {
	c.state.Lock()
	defer c.state.Unlock()
	c.state.roots = nil
}

func (c *conn) askRoots(question *rootsQuestion) {
	_, err := c.request(string(sdk.MethodListRoots), nil, func(reply clientReply) {
		question.roots = c.rootsIn(reply)
		close(question.answered)
	})
	if err != nil {
		c.server.log.Warn("the client could not be asked for its roots", "error", err)
	}
}

// awaitRoots waits for the reply, parked, until the client's time for it is over.
func (c *conn) awaitRoots(ctx context.Context, question *rootsQuestion) {
	ctx, cancel := context.WithDeadline(ctx, question.asked.Add(rootsTime))
	defer cancel()
	select {
	case <-question.answered:
		return
	case <-ctx.Done():
		return
	default:
	}
	if asking, ok := callFrom(ctx); ok {
		defer asking.park()()
	}
	select {
	case <-question.answered:
	case <-ctx.Done():
		c.server.log.Warn("the client has not named its roots in time", "error", ctx.Err())
	case <-c.closing:
	}
}

// rootsIn are the directories that the reply names.
func (c *conn) rootsIn(reply clientReply) (roots []string) {
	if reply.refused() {
		c.server.log.Warn("the client refused to name its roots", "error", string(reply.problem))
		return nil
	}
	var listed struct {
		Roots []struct {
			URI string `json:"uri"`
		} `json:"roots"`
	}
	if err := json.Unmarshal(reply.result, &listed); err != nil {
		c.server.log.Warn("the client's roots could not be read", "error", err)
		return nil
	}
	for _, root := range listed.Roots {
		if path := pathOf(root.URI); path != "" {
			roots = append(roots, path)
		}
	}
	return roots
}

// pathOf returns the absolute path a file URI names, else "".
func pathOf(uri string) string {
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
