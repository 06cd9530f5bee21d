package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"planb/store"
	"planb/store/bolt"
)

// named is what a person named on the command line: a session, one version of
// its plan, or one of its asks.
type named struct {
	session store.Session
	plan    int        // the version's number; 0 for none
	ask     *store.Ask // nil for none
}

// namedHelp says in a command's help what may be named.
const namedHelp = "A session is named by its long id, its first 8 or more digits, or its last 8 (4 are enough if no other has them);\n" +
	"an ask by its long id or the last 8 digits; a version of a plan as SESSION@v3, or SESSION@latest."

// findNamed returns what a person named. What fits nothing is
// *store.UnknownError, what fits more than one thing *store.AmbiguousError.
func findNamed(ctx context.Context, st *store.Store, name string) (named, error) {
	if session, version, at := strings.Cut(name, "@"); at && session != "" {
		if number, ok := versionNumber(version); ok {
			return findVersion(ctx, st, session, number)
		}
	}
	session, noSession := st.FindSession(ctx, name)
	ask, noAsk := st.FindAsk(ctx, name)
	switch {
	case noSession != nil && !isUnknown(noSession):
		return named{}, noSession
	case noAsk != nil && !isUnknown(noAsk):
		return named{}, noAsk
	case noSession == nil && noAsk == nil:
		return named{}, fmt.Errorf("%q is the ask %s and the session %s; give the long id of the one you mean", name, ask.ID, session.ID)
	case noSession == nil:
		return named{session: session}, nil
	case noAsk == nil:
		session, err := st.FindSession(ctx, ask.Session)
		return named{session: session, ask: &ask}, err
	}
	return named{}, nothingNamed(name)
}

// versionNumber is the number in v3 or 3, and empty for latest; ok is false for
// anything else.
func versionNumber(text string) (digits string, ok bool) {
	if text == "latest" {
		return "", true
	}
	digits = strings.TrimPrefix(text, "v")
	return digits, digits != "" && len(digits) <= 8 && strings.Trim(digits, "0123456789") == ""
}

func nothingNamed(name string) error {
	return fmt.Errorf("there is no session and no ask %s in this store; `planb sessions` lists the sessions", strconv.QuoteToASCII(name))
}

// findVersion finds one version of a session's plan; without a number the latest.
func findVersion(ctx context.Context, st *store.Store, name, number string) (named, error) {
	session, err := st.FindSession(ctx, name)
	if err != nil {
		return named{}, err
	}
	versions, err := st.Plans(ctx, session.ID)
	if err != nil {
		return named{}, err
	}
	if len(versions) == 0 {
		return named{}, fmt.Errorf("no plan was saved in the session %s (%s)", session.ID, sessionName(session))
	}
	last := versions[len(versions)-1].Number
	want := last
	if number != "" {
		if want, err = strconv.Atoi(number); err != nil {
			return named{}, err
		}
	}
	for _, version := range versions {
		if version.Number == want {
			return named{session: session, plan: want}, nil
		}
	}
	return named{}, fmt.Errorf("the session %s (%s) has no version %d of its plan; the latest is %d", session.ID, sessionName(session), want, last)
}

// sessionName is what a session is called, for a line of text.
func sessionName(session store.Session) string {
	switch {
	case session.Err != nil:
		return "unreadable"
	case session.Title.Blank():
		return "untitled"
	}
	return session.Title.Line()
}

func isUnknown(err error) bool {
	var unknown *store.UnknownError
	return errors.As(err, &unknown)
}

// readStore lets a command read the store. One that was never made is not made
// for that; what do reads there is an error that missing knows.
func (p program) readStore(ctx context.Context, do func(st *store.Store) error) error {
	path, err := p.storePath()
	if err != nil {
		return err
	}
	engine, err := p.engineOver(path, bolt.Options{MustExist: true})
	if err != nil {
		return err
	}
	st := p.storeOver(engine, path)
	return errors.Join(do(st.Store), st.close())
}
