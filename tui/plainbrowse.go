package tui

import (
	"context"
	"errors"

	"planb/store"
)

// plainBrowser is the companion, or the past sessions, in plain lines.
type plainBrowser struct {
	Options
	*plainTalk
	browser browser
	waiting []waitingAsk
	listed  []store.Session
	next    string // of the sessions that are not listed yet
}

// plainPage is how many sessions are read out at a time.
const plainPage = 10

func newPlainBrowser(ctx context.Context, o Options, b browser) *plainBrowser {
	return &plainBrowser{Options: o, plainTalk: newPlainTalk(ctx, o.Terminal), browser: b}
}

// unlessLeft takes the end of a conversation for what it is.
func unlessLeft(err error) error {
	if errors.Is(err, errLeft) || errors.Is(err, errLater) {
		return nil
	}
	return err
}

// unlessLater goes on after the person has left a conversation within another.
func unlessLater(err error) error {
	if errors.Is(err, errLater) {
		return nil
	}
	return err
}

// commas puts the parts that are not empty into one line that is read out.
func commas(parts ...string) string { return joinedBy(", ", parts...) }
