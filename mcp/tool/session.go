package tool

import (
	"context"
	"errors"
	"fmt"

	"planb/store"
)

// SessionID reads the sessionId that a tool cannot do without.
func (a *Arguments) SessionID() string {
	return a.Required("sessionId", "pass the id that init_planb_session returned; call that first, once")
}

// Session returns the session for which the named tool is called; failure says what to
// tell the model. A session that the connection does not see is unknown to it, because
// the tool would write into another project.
func (c *Caller) Session(ctx context.Context, id, tool string) (session store.Session, failure *Result) {
	session, failure = c.AnySession(ctx, id, tool)
	if failure != nil {
		return store.Session{}, failure
	}
	foreign, failure := c.IsForeign(ctx, session.ID)
	switch {
	case failure != nil:
		return store.Session{}, failure
	case foreign:
		return store.Session{}, c.unknownSession(id, tool)
	}
	return session, nil
}

// AnySession is Session for a tool that only reads: it also returns a session of
// another project.
func (c *Caller) AnySession(ctx context.Context, id, tool string) (session store.Session, failure *Result) {
	session, err := c.Agent.Session(ctx, id)
	if errors.As(err, new(*store.UnknownError)) {
		return store.Session{}, c.unknownSession(id, tool)
	}
	if err != nil {
		return store.Session{}, NotStored("", "The session could not be read", err)
	}
	return session, nil
}

// KnownSession returns the id if the connection sees such a session, else "". A result
// that refuses a call then announces earlier answers of that session.
func (c *Caller) KnownSession(ctx context.Context, id string) string {
	if id == "" {
		return ""
	}
	session, failure := c.Session(ctx, id, "")
	if failure != nil {
		return ""
	}
	return session.ID
}

// unknownSession refuses an id of no session.
func (c *Caller) unknownSession(id, tool string) *Result {
	advice := "Call init_planb_session first, then pass the returned id to " + tool + "."
	if !c.Has("init_planb_session") {
		advice = "Leave it out, or pass one that you were given."
	}
	failure := Failed("", fmt.Sprintf("Unknown sessionId %q. %s", id, advice))
	failure.Unknown = true
	return failure
}
