package pictures_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store"
	"planb/themes"
)

// The pictures of the README and of the pages in docs are real runs of planb in a
// real tmux. This makes them anew:
//
//	go test ./e2e/pictures -pictures
//
// It needs tmux, rsvg-convert (librsvg2-bin) and the font DejaVu Sans Mono.
var makePictures = flag.Bool("pictures", false, "make the pictures of the README and of docs anew from real runs")

const (
	picturesDir  = "testdata/pictures"
	pictureBytes = 200 << 10 // of a picture at most: people read a README over slow lines, too
)

// picture is a picture of the README or of a page in docs: its project, the size of its terminal,
// and the function that brings up what it shows.
type picture struct {
	name          string
	theme         string
	project       string // the name of its directory, which a form shows
	columns, rows int
	show          func(*studio)
}

func pictures() []picture {
	return []picture{
		{"form-dark.png", themes.DefaultDark, "inspections", 120, 32, mediumForm},
		{"form-light.png", themes.DefaultLight, "inspections", 120, 32, mediumForm},
		{"form-80.png", themes.DefaultDark, "webhooks", 80, 24, lightForm},
		{"intro.png", themes.DefaultDark, "orders", 100, 40, heavyIntro},
		{"diagram.png", themes.DefaultDark, "orders", 120, 34, diagramBeside},
		{"zoom.png", themes.DefaultLight, "orders", 100, 26, zoomedIn},
		{"answers.png", themes.DefaultDark, "orders", 100, 36, allAnswers},
		{"inbox.png", themes.DefaultDark, "", 110, 24, waitingForms},
		{"sessions.png", themes.DefaultDark, "", 110, 15, pastSessions},
		{"retro.png", themes.DefaultDark, "", 120, 26, pastSession},
		{"diff.png", themes.DefaultDark, "", 120, 32, changedPlan},
		{"decision.png", themes.DefaultDark, "webhooks", 110, 34, decision},
		{"review.png", themes.DefaultDark, "webhooks", 110, 34, reviewedPlan},
		{"review-again.png", themes.DefaultLight, "webhooks", 110, 34, secondRound},
		{"tasks.png", themes.DefaultDark, "shop", 120, 32, taskBoard},
		{"tasks-graph.png", themes.DefaultDark, "shop", 120, 34, taskGraph},
		{"task.png", themes.DefaultLight, "shop", 120, 32, taskPage},
		{"drafts.png", themes.DefaultDark, "workshop", 120, 34, draftSteps},
		{"drafts-schedule.png", themes.DefaultLight, "workshop", 120, 36, draftSchedule},
		{"find.png", themes.DefaultLight, "", 110, 22, foundWords},
	}
}

func TestPictures(t *testing.T) {
	for _, p := range pictures() {
		t.Run(p.name, func(t *testing.T) {
			if *makePictures {
				p.make(t)
			}
			p.check(t)
		})
	}
}

// check checks the picture's size.
func (p picture) check(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(picturesDir, p.name))
	if err != nil {
		t.Fatalf("%v; make it with: go test ./e2e/pictures -pictures", err)
	}
	if len(content) > pictureBytes {
		t.Errorf("%d bytes, want at most %d", len(content), pictureBytes)
	}
	header, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if width, height := pictureSize(p.columns, p.rows); header.Width != width || header.Height != height {
		t.Errorf("%d×%d pixels, want %d×%d for %d×%d cells", header.Width, header.Height, width, height, p.columns, p.rows)
	}
}

// No file lies beside the pictures that no test makes.
func TestPicturesAreAllMade(t *testing.T) {
	files, err := os.ReadDir(picturesDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		made := file.Name() == recordingName || file.Name() == reportName || slices.ContainsFunc(pictures(), func(p picture) bool { return p.name == file.Name() })
		if !made {
			t.Errorf("%s/%s: no test makes it", picturesDir, file.Name())
		}
	}
}

// make makes the picture.
func (p picture) make(t *testing.T) {
	theme, err := (themes.Collection{}).Find(p.theme)
	if err != nil {
		t.Fatal(err)
	}
	s := newStudio(t, p)
	p.show(s)
	screen := s.capture()
	s.leave()
	png, err := rasterise(drawScreen(screen, theme.Theme))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(picturesDir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(picturesDir, p.name), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

// studio is a terminal of the picture's size in which planb runs, with a store
// of its own.
type studio struct {
	*rig.Tmux
	picture picture
	pane    string
	data    string
}

func newStudio(t *testing.T, p picture) *studio {
	s := &studio{Tmux: rig.StartTmux(t, p.columns, p.rows), picture: p, data: t.TempDir()}
	s.pane = s.FirstPane()
	s.Run("set-option", "-g", "status", "off")
	s.Run("resize-window", "-t", s.pane, "-x", fmt.Sprint(p.columns), "-y", fmt.Sprint(p.rows))
	return s
}

// planb runs planb in place of the program in the pane. planb sees no tmux,
// because it would ask tmux for its colours, and a tmux without a client has
// 256.
func (s *studio) planb(args ...string) {
	s.T.Helper()
	project := filepath.Join(s.data, s.picture.project)
	if err := os.MkdirAll(project, 0o700); err != nil {
		s.T.Fatal(err)
	}
	command := append([]string{"respawn-pane", "-k", "-t", s.pane, "-c", project, "--", "env", "-i"}, s.variables("xterm-256color")...)
	s.Run(append(append(command, rig.Planb(s.T)), args...)...)
}

// variables returns planb's environment: what it needs, and the store and theme
// of the picture.
func (s *studio) variables(term string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.data, "PLANB_DATA_DIR=" + s.data,
		"PLANB_THEME=" + s.picture.theme, "LC_ALL=C.UTF-8", "TERM=" + term, "COLORTERM=truecolor"}
}

// press presses a key and waits until the screen shows the texts.
func (s *studio) press(key string, texts ...string) {
	s.T.Helper()
	s.Keys(s.pane, key)
	s.Shows(s.pane, texts...)
}

// capture returns the screen with its cursor.
func (s *studio) capture() [][]cell {
	s.T.Helper()
	glass := s.glass()
	screen := s.through(glass)
	s.Run("kill-pane", "-t", glass)
	var visible, x, y int
	cursor := s.Format(s.pane, "#{cursor_flag} #{cursor_x} #{cursor_y}")
	if _, err := fmt.Sscan(cursor, &visible, &x, &y); err != nil {
		s.T.Fatalf("tmux tells the cursor as %q: %v", cursor, err)
	}
	if visible == 1 {
		screen[y][x].style.inverse = !screen[y][x].style.inverse
	}
	return screen
}

// through returns what a glass shows, once several looks in a row see the same: a plan is
// drawn plain first, and rendered soon after.
func (s *studio) through(glass string) [][]cell {
	s.T.Helper()
	const looks = 8
	var last string
	same := 0
	rig.Until(s.T, "the screen is at rest", func() bool {
		now := s.Run("capture-pane", "-e", "-N", "-p", "-t", glass)
		if strings.TrimSpace(ansi.Strip(now)) == "" {
			return false // not drawn yet
		}
		if same++; now != last {
			same = 0
		}
		last = now
		return same == looks
	})
	screen, err := readScreen(last, s.picture.columns)
	if err != nil {
		s.T.Fatal(err)
	}
	for len(screen) < s.picture.rows {
		screen = append(screen, slices.Repeat([]cell{{text: " "}}, s.picture.columns))
	}
	return screen
}

// glass returns a pane that shows planb's pane, drawn by tmux for a terminal that cannot erase
// in a colour. capture-pane leaves out cells that were erased in a colour, and planb erases
// the rest of a row so; through the glass they are blanks on that colour.
func (s *studio) glass() string {
	s.T.Helper()
	return s.Run("new-session", "-d", "-P", "-F", "#{pane_id}", "-x", fmt.Sprint(s.picture.columns), "-y", fmt.Sprint(s.picture.rows),
		"env", "-u", "TMUX", "TERM=screen-256color", "tmux", "-S", s.Socket, "-T", "RGB,strikethrough,usstyle", "attach-session", "-t", "work")
}

// leave closes the pane and waits until planb has ended: it still writes to the
// store, which is then removed.
func (s *studio) leave() {
	s.T.Helper()
	pid, err := strconv.Atoi(s.Format(s.pane, "#{pane_pid}"))
	if err != nil {
		s.T.Fatal(err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		s.T.Fatal(err)
	}
	s.Run("kill-pane", "-t", s.pane)
	rig.Until(s.T, "planb has left", func() bool { return process.Signal(syscall.Signal(0)) != nil })
}

// ask shows a form from a file outside of the project.
func (s *studio) ask(name string) {
	s.T.Helper()
	path, err := filepath.Abs(rig.SpecPath(name))
	if err != nil {
		s.T.Fatal(err)
	}
	s.planb("ask", path)
}

// mediumForm shows the second option chosen, with its illustration.
func mediumForm(s *studio) {
	s.ask("medium.json")
	s.Shows(s.pane, "What happens today")
	s.Ready(s.pane)
	s.press("Right", "Two people changed", "Each field carries")
	s.press("Down", "Door 4 was changed twice")
	s.press("Space", "1/5")
}

func lightForm(s *studio) {
	s.ask("light.json")
	s.Shows(s.pane, "A receiver keeps answering 503", "Where should the alert go")
	s.Ready(s.pane)
}

func heavyIntro(s *studio) {
	s.ask("heavy.json")
	s.Shows(s.pane, "What I found", "order_lines")
	s.Ready(s.pane)
}

// diagramBeside shows a diagram beside the option that it illustrates.
func diagramBeside(s *studio) {
	s.ask("heavy.json")
	s.Ready(s.pane)
	for _, tab := range []string{"Which way do we take", "How should the backfill", "When do we swap?"} {
		s.press("Right", tab)
	}
	s.press("Tab")
	s.press("Tab")
	s.press("Tab", "If the swap goes wrong", "old column serves again")
}

// zoomedIn shows the introduction on the whole screen, at its flowchart.
func zoomedIn(s *studio) {
	s.ask("heavy.json")
	s.Ready(s.pane)
	s.press("z", "esc close")
	s.press("End", "What I need from you")
}

// allAnswers shows the answers before they are sent.
func allAnswers(s *studio) {
	s.ask("heavy.json")
	s.Ready(s.pane)
	s.press("Right", "Which way do we take")
	s.press("1", "1/18")
	s.press("1")
	s.press("2", "2/18")
	s.press("r", "2 of 18 answered")
}

// waitingForms shows the inbox of a person with three agents.
func waitingForms(s *studio) {
	for _, agent := range []struct{ name, title, project, session, ask string }{
		{"claude-code", "Claude Code", "inspections", "Inspections without a network", "medium.json"},
		{"codex-mcp-client", "Codex", "webhooks", "Retries of the webhook sender", "light.json"},
		{"opencode", "opencode", "orders", "Orders by the week", "heavy.json"},
	} {
		w := rig.StartWire(s.T, s.data, "ASK_NO_OPEN=1")
		w.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":%q,"title":%q,"version":"1"}}}`, agent.name, agent.title))
		w.Receive()
		project := filepath.Join(s.data, agent.project)
		if err := os.MkdirAll(project, 0o700); err != nil {
			s.T.Fatal(err)
		}
		w.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session","arguments":{"title":%q,"projectPath":%q}}}`, agent.session, project))
		ask, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": map[string]any{
			"name": "ask_user", "arguments": rig.Arguments(s.T, rig.SessionOf(s.T, w.Receive()), rig.ReadSpec(s.T, agent.ask))}})
		if err != nil {
			s.T.Fatal(err)
		}
		w.Send(string(ask))
		st := rig.OpenStore(s.T, s.data)
		var form string
		rig.Until(s.T, "the form waits", func() bool {
			waiting, err := st.Waiting(s.T.Context())
			at := slices.IndexFunc(waiting, func(a store.Ask) bool { return a.Client.Title.Raw() == agent.title })
			if err == nil && at >= 0 {
				form = waiting[at].ID
			}
			return form != ""
		})
		if agent.ask == "medium.json" { // the person has begun to answer it
			entry := questions.Entry{Fields: map[string]questions.Field{"conflict": {Picked: []string{"fields"}}}}
			if err := st.SaveEntry(s.T.Context(), form, entry); err != nil {
				s.T.Fatal(err)
			}
		}
	}
	s.planb("tui")
	s.Shows(s.pane, "Waiting for you  3", "1 answered")
}
