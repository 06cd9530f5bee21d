package pictures_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/e2e/rig"
	"planb/themes"
)

// The recording of the README: an agent asks, its pane opens, the person answers and
// comments on a plan, and the second round comes.
const (
	recordingName    = "recording.png"
	recordingColumns = 168
	recordingRows    = 38
	recordingZoom    = 0.6 // of a picture's size
	recordingBytes   = 600 << 10
	recordingLeast   = 16 * time.Second
	recordingMost    = 26 * time.Second
)

func TestRecording(t *testing.T) {
	path := filepath.Join(picturesDir, recordingName)
	if *makePictures {
		content, err := record(t)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; make it with: go test ./e2e/pictures -run TestRecording -pictures", err)
	}
	header, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	width, height := pictureSize(recordingColumns, recordingRows)
	if header.Width != scaled(width) || header.Height != scaled(height) || len(content) > recordingBytes {
		t.Errorf("%d×%d pixels in %d bytes, want %d×%d in at most %d", header.Width, header.Height, len(content), scaled(width), scaled(height), recordingBytes)
	}
	runs, frames, err := duration(content)
	if err != nil || runs < recordingLeast || runs > recordingMost || frames < 20 {
		t.Errorf("it runs %v in %d frames, want some 20 s; %v", runs, frames, err)
	}
}

// scaled is a length in pixels in the recording.
func scaled(pixels int) int { return int(math.Ceil(float64(pixels) * recordingZoom)) }

// recorder films a tmux window. An agent works in its pane on the left.
type recorder struct {
	*studio
	agent  *rig.Agent
	wire   string // the file that the agent's pane shows
	screen string // the glass through which the window is filmed
	frames []frame
}

// frame is the window at one moment, and how long it stands.
type frame struct {
	cells [][]cell
	time  time.Duration
}

func record(t *testing.T) ([]byte, error) {
	theme, err := (themes.Collection{}).Find(themes.DefaultDark)
	if err != nil {
		return nil, err
	}
	r := newRecorder(t)
	r.play()
	var stills []image.Image
	for _, f := range r.frames {
		still, err := pixels(drawScreen(f.cells, theme.Theme), recordingZoom)
		if err != nil {
			return nil, err
		}
		stills = append(stills, still)
	}
	var film []still
	for i, few := range fewColors(stills...) {
		film = append(film, still{few, r.frames[i].time})
	}
	return animate(film)
}

func newRecorder(t *testing.T) *recorder {
	s := newStudio(t, picture{theme: themes.DefaultDark, project: "webhooks", columns: recordingColumns, rows: recordingRows})
	r := &recorder{studio: s, wire: filepath.Join(s.data, "transcript")}
	rig.WriteFile(t, r.wire, "")
	r.Run("set-option", "-ga", "terminal-overrides", ",*:Tc")
	r.Run("set-option", "-g", "pane-border-style", "fg=#4a5568")
	r.Run("set-option", "-g", "pane-active-border-style", "fg=#4a5568")
	r.Run("respawn-pane", "-k", "-t", r.pane, "--", "tail", "-n", "+1", "-f", r.wire)
	r.screen = r.glass() // before a pane opens: planb asks tmux for the colours of its terminal
	env := append(r.Environment(r.pane), "PLANB_THEME="+themes.DefaultDark, "COLORTERM=truecolor", "CLAUDE_PROJECT_DIR="+filepath.Join(s.data, s.picture.project))
	r.agent = rig.StartClient(t, sdk.Implementation{Name: "claude-code", Title: "Claude Code", Version: "1"}, s.data, env,
		rig.Planb(t), "mcp", "--plans-dir", filepath.Join(s.data, "plans"))
	return r
}

// says writes what the agent says into its pane, and films that.
func (r *recorder) says(stands time.Duration, lines ...string) {
	r.T.Helper()
	file, err := os.OpenFile(r.wire, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintf(file, "%s\n\n", strings.Join(lines, "\n"))
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		r.T.Fatal(err)
	}
	last := strings.Fields(ansi.Strip(lines[len(lines)-1]))
	r.Shows(r.pane, last[len(last)-1])
	r.film(stands)
}

// film adds what the window shows, once it is at rest.
func (r *recorder) film(stands time.Duration) {
	r.T.Helper()
	// While tmux shows a message, as planb's receipts are, it draws nothing else. A message
	// of one millisecond ends that.
	r.Run("display-message", "-c", r.Run("list-clients", "-t", "work", "-F", "#{client_name}"), "-d", "1", " ")
	r.frames = append(r.frames, frame{r.through(r.screen), stands})
}

// press presses a key in a pane, waits for a text, and films.
func (r *recorder) press(pane, key string, stands time.Duration, shows string) {
	r.T.Helper()
	r.Keys(pane, key)
	r.Shows(pane, shows)
	r.film(stands)
}

// types types a text word by word, as somebody does.
func (r *recorder) types(pane, text string) {
	r.T.Helper()
	const pace = 160 * time.Millisecond
	for word := range strings.SplitAfterSeq(text, " ") {
		r.Text(pane, word)
		r.Shows(pane, strings.TrimSpace(word))
		r.film(pace)
	}
}

// opened returns the pane that planb opened, once the person has entered it.
func (r *recorder) opened(shows string, stands time.Duration) string {
	r.T.Helper()
	pane := r.NewPane(r.pane, r.screen)
	r.Shows(pane, shows, rig.EnterHint)
	r.film(stands)
	r.Ready(pane)
	return pane
}

const (
	accent = "\x1b[38;2;111;211;193m"
	quiet  = "\x1b[38;2;155;159;167m"
	plain  = "\x1b[m"
)

func (r *recorder) play() {
	t := r.T
	session := r.agent.Session("Retries of the webhook sender")
	r.says(1200*time.Millisecond, quiet+"> "+plain+"Make the webhook sender retry.")
	r.says(1200*time.Millisecond, accent+"●"+plain+" I have two questions before I plan.", quiet+"  planb · ask_user"+plain)
	asked := r.agent.Start("ask_user", rig.Arguments(t, session, rig.ReadSpec(t, "light.json")))
	form := r.opened("A receiver keeps answering 503", 1500*time.Millisecond)
	r.press(form, "Down", 600*time.Millisecond, "24")
	r.press(form, "Enter", 700*time.Millisecond, "1/2")
	r.Keys(form, "Tab")
	r.types(form, "#webhooks and on call")
	r.press(form, "C-s", 900*time.Millisecond, "2/2")
	r.Gone(form)
	r.says(1200*time.Millisecond, accent+"✓"+plain+" "+strings.SplitN(asked.Reply().Texts[0], "\n", 2)[0])

	r.agent.Call("write_plan", map[string]any{"planName": "retries", "content": rig.RetriesPlan, "sessionId": session})
	r.says(1200*time.Millisecond, accent+"●"+plain+" The plan is ready for you.", quiet+"  planb · submit_plan"+plain)
	submitted := r.agent.Start("submit_plan", map[string]any{"planName": "retries", "sessionId": session})
	plan := r.opened("Then drop them", 1500*time.Millisecond)
	r.Keys(plan, "n", "n", "Down", "Down")
	r.press(plan, "Down", 500*time.Millisecond, "line 11 of")
	r.press(plan, "c", 400*time.Millisecond, "comment")
	r.types(plan, "A dropped event is money lost: park it.")
	r.press(plan, "C-s", 900*time.Millisecond, "1 comment")
	r.press(plan, "r", 1200*time.Millisecond, "Request changes")
	r.ReadyDialog(plan, "Request changes")
	r.Keys(plan, "C-s")
	r.Gone(plan)
	done := commentIDs(submitted.Reply())
	r.says(1200*time.Millisecond, accent+"●"+plain+" You asked for one change. I make it.", quiet+"  planb · edit_plan, submit_plan"+plain)

	r.agent.Call("edit_plan", map[string]any{"planName": "retries", "sessionId": session,
		"oldString": "2. Then drop them, and write a line to the log.", "newString": "2. Then park them, and say so in the log."})
	again := r.agent.Start("submit_plan", map[string]any{"planName": "retries", "sessionId": session, "done": done})
	second := r.opened("park", 2000*time.Millisecond)
	r.press(second, "Escape", 1600*time.Millisecond, "addressed")
	r.press(second, "a", 1200*time.Millisecond, "Approve")
	r.ReadyDialog(second, "exactly this version")
	r.Keys(second, "Enter")
	r.Gone(second)
	again.Reply()
	r.says(2200*time.Millisecond, accent+"✓"+plain+" Approved. I start with step 1.")
}

// commentIDs returns the ids of the comments that a result names.
func commentIDs(said rig.Reply) (ids []string) {
	for _, match := range regexp.MustCompile(`\(id ([\w-]+)\)`).FindAllStringSubmatch(said.String(), -1) {
		ids = append(ids, match[1])
	}
	return ids
}
