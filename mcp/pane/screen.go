package pane

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
)

// Screen opens windows in the GNU screen session the server runs in. screen
// has no pane that a program could open beside another without rearranging
// what the person sees, so a form gets a window of its own.
//
// A new window is asked for as a person does inside screen, by `screen COMMAND`:
// those words travel one by one and are taken as they are. Everything given by
// -X is read again by screen's command parser, which knows $VAR, ^x, backslashes
// and quotes; only plain words go that way.
type Screen struct {
	session string // STY
	window  string // this process's window number
	agent   string // in a window planb opened: the one it was opened for
	run     func(context.Context, call) (string, error)
}

// ScreenFromEnv returns the screen this process runs in, or nil and the reason
// there is none.
func ScreenFromEnv(env Env) (*Screen, string) {
	session, window := env("STY"), env("WINDOW")
	if session == "" || window == "" {
		return nil, "this server's environment has no STY and WINDOW, so it does not run inside GNU screen, or its client does not pass them on"
	}
	pid, name, _ := strings.Cut(session, ".")
	if !isNumber(pid) || name == "" || strings.ContainsRune(session, '/') || !isNumber(window) {
		return nil, fmt.Sprintf("STY=%q and WINDOW=%q do not name a screen window", session, window)
	}
	s := &Screen{session: session, window: window, run: runCall}
	if agent := env(envAgent); isNumber(agent) && env(envOpener) == s.Name() {
		s.agent = agent
	}
	return s, ""
}

// Name returns "screen".
func (s *Screen) Name() string { return "screen" }

// Place names the session: a form covers all its other windows.
func (s *Screen) Place(context.Context) (string, error) {
	return placeName(s.Name(), s.session, ""), nil
}

// Open makes a window and shows it. A session that no terminal is attached to
// keeps it until the person comes back.
func (s *Screen) Open(ctx context.Context, command Command) error {
	mark := "planb-" + strings.ToLower(rand.Text()[:8])
	create, err := screenCreate(s.session, s.window, mark, command)
	if err != nil {
		return err
	}
	if _, err := s.run(ctx, create); err != nil {
		return err
	}
	// A program that is no terminal's gets its window behind the others.
	if _, err := s.run(ctx, screenCommand(s.session, "", "select", mark)); err != nil {
		return err
	}
	if command.Title != "" {
		// A window with another title serves as well.
		_, _ = s.run(ctx, screenCommand(s.session, mark, "title", command.Title))
	}
	return nil
}

// Leave selects the agent's window, if the person still is in this one, and
// shows the receipt, of which screen gets the ASCII.
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

// Announce shows a line at the foot of the terminals attached to the session,
// of which screen gets the ASCII; see Announcer.
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

// What screen's message for a new window holds; it drops the rest in silence.
const (
	screenBytes = 4000 // of all words; its buffer has the system's longest path, 4096
	screenWords = 60
)

// screenCreate is the request for a new window with that title.
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

// screenCommand is one of screen's own commands with one argument; at is the
// title of the window it is for, empty for the one shown.
func screenCommand(session, at, name, argument string) call {
	argv := []string{"screen", "-S", session}
	if at != "" {
		argv = append(argv, "-p", at)
	}
	return call{argv: append(argv, "-X", name, plainWords(argument))}
}

// plainWords keeps the characters that screen's parser and its messages take
// as they are; each other one becomes a hyphen.
func plainWords(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" .,:;()-/", r):
			return r
		}
		return '-'
	}, text)
}
