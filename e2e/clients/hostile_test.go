package clients_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"planb/e2e/rig"
	"planb/questions/safe/safetest"
)

// The real program on a real terminal draws everything that an agent can send,
// with hostile text in every field. Then the test reads the raw bytes.
func TestNothingAnAgentSendsReachesTheTerminalAsACommand(t *testing.T) {
	t.Parallel()
	texts := safetest.Hostile()
	maps.Copy(texts, safetest.Markdown())
	names := slices.Sorted(maps.Keys(texts))
	// Many texts go into one form, so that a few forms hold all of them. Tests of tui/form and
	// tui/inbox have each text alone in every field; here the terminal is the promise.
	for chunk := range slices.Chunk(names, 20) {
		t.Run(chunk[0], func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
			hostile := strings.Builder{}
			for _, name := range chunk {
				hostile.WriteString(texts[name] + "\n\n")
			}
			session := hostileSession(t, a, hostile.String())
			saved := a.Call("save_plan", map[string]any{"sessionId": session, "title": oneLine(cut(hostile.String(), 200)), "plan": hostile.String()})
			if saved.IsError {
				t.Fatalf("save_plan: %s", saved)
			}
			call := a.Start("ask_user", hostileForm(t, session, chunk, texts))
			st := rig.OpenStore(t, data)
			rig.Until(t, "the form is kept", func() bool {
				if refused := call.Early(); refused != nil {
					t.Fatalf("the form was refused:\n%.3000s", refused)
				}
				due, err := st.Due(t.Context(), session)
				return err == nil && len(due) == 1
			})
			p := atTerminal(t, data)
			p.does("see Sessions", "key down", "see plan v1", "key enter", "see Begun", "key enter", "see Menu",
				"key right", "key down", "type z", "key esc", "key right", "key down", "type ?", "key esc",
				"type n", "type noted", "key ctrl+c", "see Decline", "type k", "key ctrl+s", "key ctrl+s")
			call.Reply()
			p.does("see Answered", "key home", "key down", "key enter", "see · v1", "key right", "key down")
			p.leaves()
		})
	}
}

func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(strings.ToValidUTF8(text, "?"))
}

func hostileSession(t *testing.T, a *rig.Agent, text string) string {
	t.Helper()
	text = cut(text, 1000)
	name := strings.ToValidUTF8(strings.NewReplacer("\x00", "", "/", "").Replace(text), "\ufffd")
	project := filepath.Join(t.TempDir(), cut(name, 200))
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	r := a.Call("init_planb_session", map[string]any{"title": text, "intent": text, "projectPath": project})
	match := rig.SessionLine.FindStringSubmatch(r.String())
	if match == nil {
		t.Fatalf("init_planb_session gave %q", r)
	}
	return match[1]
}

// cut shortens a text to the limit of a field.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}

// hostileForm has the texts in every field that may hold any text.
func hostileForm(t *testing.T, session string, names []string, texts map[string]string) map[string]any {
	t.Helper()
	all := ""
	var options []any
	for i, name := range names {
		text := cut(texts[name], 300)
		all += "## " + text + "\n\n" + text + "\n\n"
		options = append(options, map[string]any{
			"value": fmt.Sprintf("%d %s", i, text), "label": fmt.Sprintf("%d %s", i, text), "description": text, "markdown": text,
		})
	}
	title, tabs := cut(all, 1000), [2]string{"First " + oneLine(cut(all, 200)), "Second " + oneLine(cut(all, 200))}
	return map[string]any{
		"sessionId": session, "title": title, "introTitle": oneLine(title), "intro": all,
		"questions": []any{
			map[string]any{"id": "one", "kind": "single", "label": "L " + title, "description": all, "tab": tabs[0], "options": options},
			map[string]any{"id": "many", "kind": "multi", "label": "L " + title, "tab": tabs[0], "options": options},
			map[string]any{"id": "text", "kind": "text", "label": "L " + title, "tab": tabs[1], "placeholder": title},
			map[string]any{"id": "long", "kind": "longtext", "label": "L " + title, "tab": tabs[1], "placeholder": title, "default": all},
			map[string]any{"id": "scale", "kind": "scale", "label": "L " + title, "tab": tabs[1], "min": 0, "max": 10},
		},
	}
}

// person sits at a terminal with planb's inbox.
type person struct {
	t       *testing.T
	cmd     *exec.Cmd
	tty     *os.File
	screen  *rig.Output
	drained <-chan struct{}
}

func atTerminal(t *testing.T, data string) *person {
	t.Helper()
	p := &person{t: t, cmd: exec.Command(rig.Planb(t), "tui"), screen: &rig.Output{}}
	p.cmd.Env = append(os.Environ(), "PLANB_DATA_DIR="+data, "HOME="+data, "TERM=xterm-256color", "TMUX=", "TMUX_PANE=", "PLANB_THEME=dark")
	var err error
	if p.tty, err = pty.StartWithSize(p.cmd, &pty.Winsize{Cols: 120, Rows: 100}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it has ended already if the test succeeded
		_ = p.tty.Close()
		if text := p.screen.Text(); t.Failed() {
			t.Logf("the end of what the terminal was sent:\n%s", text[max(0, len(text)-2000):])
		}
	})
	p.drained = p.screen.Drain(p.tty)
	return p
}

// does performs lines, see rig.PerformLine.
func (p *person) does(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if err := rig.PerformLine(p.tty, p.screen, line); err != nil {
			p.t.Fatal(err)
		}
	}
}

// leaves ends planb and reads the bytes that the terminal was sent.
func (p *person) leaves() {
	p.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	if err := rig.CloseAll(p.tty, ended); errors.Is(err, rig.ErrStillRuns) {
		p.t.Fatal(err)
	}
	<-p.drained
	for _, problem := range commands(p.screen.Bytes()) {
		p.t.Errorf("planb sent the terminal %s", problem)
	}
}

// commands lists everything in the bytes that is neither text nor one of the
// sequences that planb itself draws with.
func commands(raw []byte) []string {
	var found []string
	seen := map[string]bool{}
	note := func(format string, values ...any) {
		if text := fmt.Sprintf(format, values...); !seen[text] {
			seen[text] = true
			found = append(found, text)
		}
	}
	parser := ansi.NewParser()
	var state byte
	for len(raw) > 0 {
		sequence, width, n, next := ansi.DecodeSequence(raw, state, parser)
		state = next
		switch {
		case n == 0:
			return append(found, "nothing decodable")
		case ansi.HasCsiPrefix(sequence):
			if params := parser.Params(); ansi.Cmd(parser.Command()).Final() == 'm' {
				for i, p := range params {
					if v := p.Param(-1); v == 8 && (i == 0 || !isColour(params[:i])) {
						note("concealed text %q", sequence)
					}
				}
			}
		case ansi.HasOscPrefix(sequence):
			if !drawsWith(parser.Command()) {
				note("OSC %d %q", parser.Command(), sequence)
			}
			if i := strings.IndexFunc(string(parser.Data()), hostileRune); i >= 0 {
				note("a hostile rune in OSC %q", parser.Data())
			}
		case ansi.HasDcsPrefix(sequence):
			if !strings.HasPrefix(string(sequence), "\x1bP+q") { // asks for the terminal's capabilities
				note("DCS %q", sequence)
			}
		case ansi.HasApcPrefix(sequence), ansi.HasPmPrefix(sequence), ansi.HasSosPrefix(sequence):
			note("APC, PM or SOS %q", sequence)
		case width > 0:
			for _, r := range string(sequence) {
				if hostileRune(r) {
					note("%U in %q", r, sequence)
				}
			}
			if !utf8.Valid(sequence) {
				note("invalid UTF-8 %q", sequence)
			}
		case unicode.In(firstRune(sequence), unicode.Mn, unicode.Me, unicode.Mc):
			// marks over a letter that was drawn before; safe.Text limits them
		default:
			if !strings.ContainsAny(string(sequence), "\r\n\b\t\x0e\x0f") && !strings.HasPrefix(string(sequence), "\x1b") {
				note("control %q", sequence)
			}
		}
		raw = raw[n:]
	}
	return found
}

func firstRune(sequence []byte) rune {
	r, _ := utf8.DecodeRune(sequence)
	return r
}

// isColour reports whether the parameters so far begin a colour. The numbers of
// a colour have no other meaning.
func isColour(params ansi.Params) bool {
	for i := len(params) - 1; i >= 0 && i >= len(params)-4; i-- {
		if v := params[i].Param(-1); v == 38 || v == 48 || v == 58 {
			return true
		}
	}
	return false
}

// drawsWith reports whether planb itself sends this operating system command:
// titles, the query for the background's colour, and the colour of the cursor.
func drawsWith(command int) bool {
	return slices.Contains([]int{0, 1, 2, 11, 12, 22, 111, 112}, command)
}

// hostileRune reports whether a rune moves, hides or reorders text.
func hostileRune(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) ||
		slices.Contains([]rune{'\u200b', '\u2060', '\ufeff', '\u2028', '\u2029', '\u180e', '\u00ad'}, r) ||
		r >= 0xe0000 && r <= 0xe007f
}
