package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"planb/cli/frame"
	"planb/store"
)

// named is what an argument names: a session, one version of its plan, or one
// of its asks.
type named struct {
	session store.Session
	plan    int        // the version's number; 0 for none
	ask     *store.Ask // nil for none
}

// namedHelp says in a command's help how sessions, forms and versions are named.
const namedHelp = "A session is named by its long id, its first 8 or more digits, or its last 8 (4 are enough if no other has them);\n" +
	"a form by its long id or the last 8 digits; a version of a plan as SESSION@v3, or SESSION@latest."

// findNamed finds what name stands for. The error is *store.AmbiguousError if
// name fits more than one session or ask.
func findNamed(ctx context.Context, st *store.Store, name string) (named, error) {
	if session, version, at := strings.Cut(name, "@"); at && session != "" {
		if number, ok := versionNumber(version); ok {
			return findVersion(ctx, st, session, number)
		}
	}
	session, noSession := st.FindSession(ctx, name)
	ask, noAsk := st.FindAsk(ctx, name)
	switch {
	case noSession != nil && !frame.IsUnknown(noSession):
		return named{}, noSession
	case noAsk != nil && !frame.IsUnknown(noAsk):
		return named{}, noAsk
	case noSession == nil && noAsk == nil:
		return named{}, fmt.Errorf("%q is the form %s and the session %s; give the long id of the one you mean", name, ask.ID, session.ID)
	case noSession == nil:
		return named{session: session}, nil
	case noAsk == nil:
		session, err := st.FindSession(ctx, ask.Session)
		return named{session: session, ask: &ask}, err
	}
	return named{}, nothingNamed(name)
}

// latest stands for the number of the newest version.
const latest = -1

// versionNumber parses v3, 3 or latest; ok is false for anything else.
func versionNumber(text string) (number int, ok bool) {
	if text == "latest" {
		return latest, true
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "v"), 10, 31)
	return int(n), err == nil
}

// versionIndex returns the index of a version in a list with the oldest first,
// or -1.
func versionIndex(versions []store.Plan, number int) int {
	if number == latest {
		return len(versions) - 1
	}
	return slices.IndexFunc(versions, func(version store.Plan) bool { return version.Number == number })
}

func nothingNamed(name string) error {
	return fmt.Errorf("there is no session, form or review %s in this store; `planb sessions` lists the sessions", strconv.QuoteToASCII(name))
}

// findVersion finds one version of a session's plan.
func findVersion(ctx context.Context, st *store.Store, name string, number int) (named, error) {
	session, err := st.FindSession(ctx, name)
	if err != nil {
		return named{}, err
	}
	versions, err := st.Plans(ctx, session.ID)
	if err != nil {
		return named{}, err
	}
	if len(versions) == 0 {
		return named{}, fmt.Errorf("no plan was saved in the session %s (%s)", store.ShortID(session.ID), session.Name().Line())
	}
	if at := versionIndex(versions, number); at >= 0 {
		return named{session: session, plan: versions[at].Number}, nil
	}
	return named{}, fmt.Errorf("the session %s (%s) has no version %d of its plan; the latest is %d",
		store.ShortID(session.ID), session.Name().Line(), number, versions[len(versions)-1].Number)
}
