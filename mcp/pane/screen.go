package pane

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
)

// Screen opens windows in the GNU screen session around the server. screen
// cannot open a pane beside another without rearranging the person's view, so a
// form gets a window of its own.
//
// A new window is requested by `screen COMMAND`, as inside screen: these words
// are passed one by one and unchanged. But screen parses everything given to -X
// again, with $VAR, ^x, backslashes and quotes; so only plain words go that
// way.
type Screen struct {
	session string // STY
	window  string // number of this process's window
	agent   string // in a window opened by planb: the agent's window
	run     func(context.Context, call) (string, error)
}

// screenFromEnv returns the screen around this process, or nil and the reason.
func screenFromEnv(env Env) (*Screen, string) {
	session, window := env("STY"), env("WINDOW")
	if session == "" || window == "" {
		return nil, "STY and WINDOW are not set, so planb does not run inside GNU screen, or its client does not pass them on"
	}
	pid, name, _ := strings.Cut(session, ".")
	if !isNumber(pid) || name == "" || strings.ContainsRune(session, '/') || !isNumber(window) {
		return nil, fmt.Sprintf("STY=%q and WINDOW=%q do not name a screen window", session, window)
	}
	s := &Screen{session: session, window: window, run: runCall}
	s.agent = agentIn(env, s.Name())
	return s, ""
}

// Name returns "screen".
func (s *Screen) Name() string { return "screen" }

// Place names the session: a form covers all its other windows.
func (s *Screen) Place(context.Context) (string, error) {
	return placeName(s.Name(), s.session, ""), nil
}

// Open opens a window and shows it. A session without an attached terminal
// keeps the window until the person comes back.
func (s *Screen) Open(ctx context.Context, command Command) error {
	mark := "planb-" + strings.ToLower(rand.Text()[:8])
	create, err := screenCreate(s.session, s.window, mark, command)
	if err != nil {
		return err
	}
	if _, err := s.run(ctx, create); err != nil {
		return err
	}
	// A window requested from outside a terminal opens behind the others.
	if _, err := s.run(ctx, screenCommand(s.session, "", "select", mark)); err != nil {
		return err
	}
	if command.Title != "" {
		// The window works without its title, too.
		_, _ = s.run(ctx, screenCommand(s.session, mark, "title", command.Title))
	}
	return nil
}

// Leave selects the agent's window if the person is still in this one, and
// shows the receipt. screen gets only its ASCII.
func (s *Screen) Leave(ctx context.Context, receipt string) error {
	var problems []error
	if s.agent != "" {
		problems = append(problems, s.giveBack(ctx))
	}
	if receipt != "" {
		problems = append(problems, s.Announce(ctx, receipt))
	}
	return errors.Join(problems...)
}

// Announce shows a line at the bottom of the terminals attached to the session;
// see Announcer. screen gets only the text's ASCII.
func (s *Screen) Announce(ctx context.Context, text string) error {
	_, err := s.run(ctx, screenCommand(s.session, "", "echo", text))
	return err
}

func (s *Screen) giveBack(ctx context.Context) error {
	shown, err := s.run(ctx, call{argv: []string{"screen", "-S", s.session, "-Q", "number"}})
	if err != nil {
		return err
	}
	if number, _, _ := strings.Cut(shown, " "); number != s.window {
		return nil
	}
	_, err = s.run(ctx, screenCommand(s.session, "", "select", s.agent))
	return err
}

// The capacity of screen's message for a new window; it silently drops the
// rest.
const (
	screenBytes = 4000 // of all words; its buffer has 4096, the system's longest path
	screenWords = 60
)

// screenCreate returns the request for a new window with that title.
func screenCreate(session, window, title string, command Command) (call, error) {
	words, err := withEnv(command, "screen", window)
	if err != nil {
		return call{}, err
	}
	size := 0
	for _, word := range words {
		size += len(word) + 1
	}
	if size > screenBytes || len(words) > screenWords {
		return call{}, fmt.Errorf("the command for the new window has %d words and %d bytes; screen takes %d and %d", len(words), size, screenWords, screenBytes)
	}
	return call{
		argv: append([]string{"screen", "-t", title}, words...),
		dir:  command.Dir,
		env:  []string{"STY=" + session},
	}, nil
}

// screenCommand returns one of screen's own commands with one argument. at is
// the title of its window; empty: the window shown.
func screenCommand(session, at, name, argument string) call {
	argv := []string{"screen", "-S", session}
	if at != "" {
		argv = append(argv, "-p", at)
	}
	return call{argv: append(argv, "-X", name, plainWords(argument))}
}

// plainWords keeps the characters that screen passes on unchanged, and replaces
// each other one by a hyphen.
func plainWords(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" .,:;()-/", r):
			return r
		}
		return '-'
	}, text)
}
