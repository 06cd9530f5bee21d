package library

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/mcp/wire"
)

const (
	// maxSubscriptions is the most resources that one client follows.
	maxSubscriptions = 100
	// updatePause is the least time between two checks of the followed resources.
	updatePause = 100 * time.Millisecond
)

var errFollowsMost = fmt.Errorf(
	"this client follows %d resources already, the most there can be; unsubscribe from one first", maxSubscriptions)

// Followed tells a client of changes of the resources that it follows. It watches the
// store while it follows any.
type Followed struct {
	library *Library
	agent   *agent.Agent
	meta    map[string]json.RawMessage // of every notification; nil: none
	held    bool                       // nothing is told before begin

	mu    sync.Mutex
	known map[string][sha256.Size]byte // what each was when last looked at, by URI
	stop  context.CancelFunc           // ends the watching; nil: there is none
}

// follow begins to follow a resource. It is an error if the resource does not exist. If
// it is deleted later, the client is told once.
func (s *Followed) follow(ctx context.Context, uri string) error {
	digest, err := s.library.resourceDigest(ctx, s.agent, uri)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.known[uri]; !again && len(s.known) == maxSubscriptions {
		return errFollowsMost
	}
	if s.known == nil {
		s.known = map[string][sha256.Size]byte{}
	}
	s.known[uri] = digest
	s.startWatch()
	return nil
}

// begin starts to tell of changes, including those since follow.
func (s *Followed) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = false
	if len(s.known) > 0 {
		s.startWatch()
	}
}

func (s *Followed) startWatch() {
	if s.stop != nil || s.held {
		return
	}
	watched, stop := context.WithCancel(s.agent.Context())
	s.stop = stop
	go s.watch(watched)
}

// leave stops following a resource.
func (s *Followed) leave(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, uri)
	if len(s.known) == 0 {
		s.endWatch()
	}
}

// leaveAll stops following all resources.
func (s *Followed) leaveAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = nil
	s.endWatch()
}

func (s *Followed) endWatch() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

func (s *Followed) followed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	uris := make([]string, 0, len(s.known))
	for uri := range s.known {
		uris = append(uris, uri)
	}
	return uris
}

func (s *Followed) watch(ctx context.Context) {
	bell, err := s.library.store.Watch(ctx)
	if err != nil {
		s.library.log.Warn("changes of resources cannot be watched for", "error", err)
		return
	}
	for range bell {
		for _, uri := range s.followed() {
			s.look(ctx, uri)
		}
		select {
		case <-time.After(updatePause):
		case <-ctx.Done():
			return
		}
	}
}

// look tells the client if the resource has changed.
func (s *Followed) look(ctx context.Context, uri string) {
	digest, err := s.library.resourceDigest(ctx, s.agent, uri)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		digest = sha256.Sum256([]byte(err.Error()))
	}
	s.mu.Lock()
	was, still := s.known[uri]
	if still {
		s.known[uri] = digest
	}
	s.mu.Unlock()
	if !still || was == digest {
		return
	}
	params := map[string]any{"uri": uri}
	if s.meta != nil {
		params["_meta"] = s.meta
	}
	s.library.notify(s.agent, sdk.MethodNotificationResourceUpdated, params)
}

// Listen follows the resources that the client names, if they exist, and the list of tools, if
// the client wants its changes. It acknowledges nothing else, because this server's other
// lists never change. For the list of tools it calls tools with the stream's _meta; tools
// calls acknowledge before it tells of a change. A stream that has anything to follow stays
// open until the client cancels it or the connection ends: a stream that ended at once would
// look lost, and the client would open it again and again.
func (l *Library) Listen(a *agent.Agent, served *wire.Call, wanted sdk.SubscriptionFilter, tools func(meta map[string]json.RawMessage, acknowledge func())) (result any) {
	meta := map[string]json.RawMessage{sdk.MetaKeySubscriptionID: served.ID()}
	granted := sdk.SubscriptionFilter{ToolsListChanged: wanted.ToolsListChanged}
	followed := &Followed{library: l, agent: a, meta: meta, held: true}
	defer followed.leaveAll()
	for _, uri := range wanted.ResourceSubscriptions {
		if err := followed.follow(served.Context(), uri); err == nil { // a resource that the acknowledgement leaves out is not followed
			granted.ResourceSubscriptions = append(granted.ResourceSubscriptions, uri)
		}
	}
	acknowledge := func() {
		l.notify(a, string(sdk.MethodNotificationSubscriptionsAcknowledged), map[string]any{
			"_meta": meta, "notifications": granted,
		})
	}
	if wanted.ToolsListChanged {
		tools(meta, acknowledge)
	} else {
		acknowledge()
	}
	followed.begin()
	if !wanted.IsEmpty() {
		defer served.Park()()
		select {
		case <-served.Context().Done():
		case <-a.Closing():
		}
	}
	return map[string]any{"_meta": meta, "resultType": sdk.ResultTypeComplete}
}

// notify tells the client. An error is only logged, because the connection is then
// ending.
func (l *Library) notify(a *agent.Agent, method string, params any) {
	if err := a.Notify(method, params); err != nil {
		l.log.Debug("a notification could not be written", "method", method, "error", err)
	}
}

// resourceDigest identifies the state of a resource.
func (l *Library) resourceDigest(ctx context.Context, a *agent.Agent, uri string) ([sha256.Size]byte, error) {
	text, _, err := l.resourceText(ctx, a, uri)
	return sha256.Sum256([]byte(text)), err
}

// callSession is the connection in the form that the protocol library needs during one
// call.
type callSession struct {
	*agent.Agent
	following *Followed
	served    *tool.Request
}

// Session returns the connection of a call, with the resources that its client follows.
func (s *Followed) Session(served *tool.Request) server.ClientSession {
	return callSession{s.agent, s, served}
}

// FollowedBy returns the resources that a client follows by subscribe requests. Later
// versions of the protocol have Listen instead.
func (l *Library) FollowedBy(a *agent.Agent) *Followed {
	return &Followed{library: l, agent: a}
}

var _ server.SessionWithResourceSubscriptionsErr = callSession{}

// SubscribeToResourceErr follows a resource, for the versions of the protocol with
// subscribe requests.
func (s callSession) SubscribeToResourceErr(uri string) error {
	return s.following.follow(tool.WithRequest(s.served.Context(), s.served), uri)
}

// SubscribeToResource is SubscribeToResourceErr for a caller that takes no error; it is
// logged.
func (s callSession) SubscribeToResource(uri string) {
	if err := s.SubscribeToResourceErr(uri); err != nil {
		s.following.library.log.Warn("a resource cannot be followed", "uri", uri, "error", err)
	}
}

// UnsubscribeFromResource stops following a resource.
func (s callSession) UnsubscribeFromResource(uri string) { s.following.leave(uri) }

// SubscribedResources lists the followed resources.
func (s callSession) SubscribedResources() []string { return s.following.followed() }

// IsSubscribedToResource reports whether a resource is followed.
func (s callSession) IsSubscribedToResource(uri string) bool {
	s.following.mu.Lock()
	defer s.following.mu.Unlock()
	_, follows := s.following.known[uri]
	return follows
}
