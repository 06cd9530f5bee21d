package pane

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// recorder stands in for a multiplexer: it records its calls, and answers them.
type recorder struct {
	calls   []call
	answers map[string]string // by a word of the command
}

func (r *recorder) run(_ context.Context, c call) (string, error) {
	r.calls = append(r.calls, c)
	for _, word := range c.argv {
		if answer, ok := r.answers[word]; ok {
			return answer, nil
		}
	}
	return "", nil
}

// asked reports whether some call had these arguments.
func (r *recorder) asked(argv ...string) bool {
	return slices.ContainsFunc(r.calls, func(c call) bool { return slices.Equal(c.argv, argv) })
}

// ignoring is what the shell does that comes before the words of every command.
const ignoring = `trap '' INT; exec "$@"`

func TestWithEnv(t *testing.T) {
	t.Parallel()
	command := Command{Argv: []string{"/opt/plan b/planb", "tui", "$HOME"}, Env: []string{"A=x y", "PLANB_DATA_DIR=/d=e"}}
	got, err := withEnv(command, "kitty", "7")
	want := []string{"/bin/sh", "-c", ignoring, "planb", "/usr/bin/env", "A=x y", "PLANB_DATA_DIR=/d=e", "PLANB_OPENER=kitty", "PLANB_AGENT_PANE=7", "/opt/plan b/planb", "tui", "$HOME"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got  %q, %v\nwant %q", got, err, want)
	}
	for _, bad := range [][]string{{"/a=b/planb", "tui"}, {"planb", "tui"}, {"/planb"}} {
		if _, err := withEnv(Command{Argv: bad}, "kitty", "7"); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestScreenCreate(t *testing.T) {
	t.Parallel()
	// The words are passed unparsed, so text with a meaning for screen's parser
	// stays unchanged.
	command := Command{Argv: []string{"/planb", "$HOME", "^A", `a\b`, `"q'`, "#c"}, Dir: "/home/$you", Env: []string{"A=$B"}}
	got, err := screenCreate("41.x", "3", "planb-mark", command)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"screen", "-t", "planb-mark", "/bin/sh", "-c", ignoring, "planb", "/usr/bin/env", "A=$B", "PLANB_OPENER=screen", "PLANB_AGENT_PANE=3",
		"/planb", "$HOME", "^A", `a\b`, `"q'`, "#c",
	}
	if !slices.Equal(got.argv, want) || got.dir != "/home/$you" || !slices.Equal(got.env, []string{"STY=41.x"}) {
		t.Errorf("got  %+v\nwant %q", got, want)
	}
}

func TestScreenIsNotGivenWhatItWouldCutOff(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{
		{"/planb", strings.Repeat("x", screenBytes)},
		append([]string{"/planb"}, slices.Repeat([]string{"x"}, screenWords)...),
	} {
		if _, err := screenCreate("41.x", "3", "m", Command{Argv: argv}); err == nil || !strings.Contains(err.Error(), "screen takes 60 and 4000") {
			t.Errorf("%d words: got %v", len(argv), err)
		}
	}
}

func TestPlainWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ reason, in, want string }{
		{"plain words stay", "Sent 3 answers (Claude Code 2), 1.5 s.", "Sent 3 answers (Claude Code 2), 1.5 s."},
		{"$ would expand a variable", "$HOME", "-HOME"},
		{"^ would become a control character", "^A", "-A"},
		{"a backslash starts an escape", `a\101`, "a-101"},
		{"quotes group words", `"it's"`, "-it-s-"},
		{"# starts a comment", "#x", "-x"},
		{"% is screen's string escape", "%n%`", "-n--"},
		{"a control character reaches the terminal", "\x1b]0;x\x07\n", "--0;x--"},
		{"screen takes bytes for what the session's encoding says", "é·", "--"},
		{"a broken byte is one, too", "\xff", "-"},
	} {
		if got := plainWords(test.in); got != test.want {
			t.Errorf("%s: %q became %q, want %q", test.reason, test.in, got, test.want)
		}
	}
}

func TestScreenFromEnv(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		env    Env
		reason string
	}{
		{"as screen sets it", environment("STY=41.pts-0.host", "WINDOW=0"), ""},
		{"outside", environment(), "does not run inside GNU screen"},
		{"half of it", environment("STY=41.x"), "does not run inside GNU screen"},
		{"an option", environment("STY=-X", "WINDOW=0"), "do not name"},
		{"a path", environment("STY=1./../x", "WINDOW=0"), "do not name"},
		{"no number", environment("STY=41.x", "WINDOW=0 -X quit"), "do not name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, reason := screenFromEnv(test.env)
			if (s == nil) != (test.reason != "") || !strings.Contains(reason, test.reason) {
				t.Errorf("got %v and %q, want %q", s, reason, test.reason)
			}
		})
	}
}

func TestScreenShowsTheNewWindow(t *testing.T) {
	t.Parallel()
	s, _ := screenFromEnv(environment("STY=41.x", "WINDOW=3"))
	r := &recorder{}
	s.run = r.run
	if err := s.Open(t.Context(), Command{Argv: []string{"/planb", "tui"}, Title: "planb · $X"}); err != nil {
		t.Fatal(err)
	}
	if len(r.calls) != 3 {
		t.Fatalf("screen was asked %+v", r.calls)
	}
	mark := r.calls[0].argv[2]
	if !r.asked("screen", "-S", "41.x", "-X", "select", mark) {
		t.Errorf("the window %s is not selected: %+v", mark, r.calls)
	}
	if !r.asked("screen", "-S", "41.x", "-p", mark, "-X", "title", "planb - -X") {
		t.Errorf("the window %s gets no title: %+v", mark, r.calls)
	}
}

func TestScreenGivesBackOnlyWhatItHas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, shown string
		back        bool
	}{
		{"the form is shown", "4 (planb - Claude Code)", true},
		{"the person has moved elsewhere", "2 (mail)", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, _ := screenFromEnv(environment("STY=41.x", "WINDOW=4", "PLANB_OPENER=screen", "PLANB_AGENT_PANE=3"))
			r := &recorder{answers: map[string]string{"number": test.shown}}
			s.run = r.run
			if err := s.Leave(t.Context(), "Sent."); err != nil {
				t.Fatal(err)
			}
			if got := r.asked("screen", "-S", "41.x", "-X", "select", "3"); got != test.back {
				t.Errorf("the agent's window was selected: %v, want %v; %+v", got, test.back, r.calls)
			}
			if !r.asked("screen", "-S", "41.x", "-X", "echo", "Sent.") {
				t.Errorf("no receipt: %+v", r.calls)
			}
		})
	}
}

func TestACallThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		argv []string
		want string
	}{
		{"on stderr", []string{"/bin/sh", "-c", "echo no >&2; exit 1"}, "/bin/sh refused: no"},
		{"on stdout", []string{"/bin/sh", "-c", "echo No screen session found.; exit 1"}, "/bin/sh refused: No screen session found."},
		{"nowhere", []string{"/bin/sh", "-c", "exit 1"}, "/bin/sh refused: it did not say why"},
		{"no program", []string{"planb-no-such-multiplexer"}, "the server runs inside planb-no-such-multiplexer, but there is no such program on its PATH"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := runCall(t.Context(), call{argv: test.argv}); err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}
