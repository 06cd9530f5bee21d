package pane

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"planb/questions/safe"
)

// tmuxAt is the state of a pane in its window.
type tmuxAt struct {
	width, height int    // unzoomed
	session       string // $N
	window        string // @N
	zoomed        bool   // the window shows only one pane, in its whole size
	active        bool   // the pane is the active one of its window
	inView        bool   // the window is the current one of its session
	typing        bool   // a terminal that shows the window had a key recently
}

var errNoPane = errors.New("the tmux pane this server was started in is gone")

const lookFormat = "#{pane_id} #{window_id} #{pane_width} #{pane_height} #{window_zoomed_flag} #{pane_active} " +
	"#{window_active} #{session_id} #{window_layout}"

// look reads the state of the pane, with one start of tmux, because each is felt. It
// uses list-panes, because for a pane that is gone display-message prints nothing and
// reports no error.
func (t *Tmux) look(ctx context.Context, pane string) (tmuxAt, error) {
	listed, err := t.tmux(ctx, "list-panes", "-a", "-F", lookFormat, ";", "list-clients", "-F", activityFormat)
	if err != nil {
		return tmuxAt{}, err
	}
	at, err := parseLook(listed, pane)
	at.typing = typingAt(listed, at.window, t.now())
	return at, err
}

func parseLook(listed, pane string) (tmuxAt, error) {
	for line := range strings.Lines(listed) {
		fields := strings.Fields(line)
		if len(fields) != 9 || fields[0] != pane {
			continue
		}
		columns, rows, zoomed := fields[2], fields[3], fields[4] == "1"
		if zoomed {
			columns, rows = unzoomed(fields[8], pane)
		}
		width, errWidth := strconv.Atoi(columns)
		height, errHeight := strconv.Atoi(rows)
		if err := errors.Join(errWidth, errHeight); err != nil {
			return tmuxAt{}, fmt.Errorf("tmux printed no size: %w", err)
		}
		return tmuxAt{
			width: width, height: height, session: fields[7], window: fields[1],
			zoomed: zoomed, active: fields[5] == "1",
			inView: fields[6] == "1",
		}, nil
	}
	return tmuxAt{}, errNoPane
}

// unzoomed returns the size to which a pane of a zoomed window will return. The
// window's layout still has it: the cell of %3 is 80x24,0,0,3 there.
func unzoomed(layout, pane string) (columns, rows string) {
	cell := regexp.MustCompile(`(\d+)x(\d+),\d+,\d+,` + regexp.QuoteMeta(pane[1:]) + `(?:\D|$)`).FindStringSubmatch(layout)
	if cell == nil {
		return "", ""
	}
	return cell[1], cell[2]
}

const activityFormat = "#{window_id} #{client_activity}"

// typingSeconds is how old a key may be to count as typing. tmux's times have
// no fraction, so it is up to a second more.
const typingSeconds = 3

// typingAt reports whether one of the listed clients shows the window and had a
// key within typingSeconds. It passes over all other lines.
func typingAt(listed, window string, now time.Time) bool {
	for line := range strings.Lines(listed) {
		shows, activity, _ := strings.Cut(strings.TrimSpace(line), " ")
		last, err := strconv.ParseInt(activity, 10, 64)
		if shows == window && (err != nil || now.Unix()-last <= typingSeconds) {
			return true
		}
	}
	return false
}

// arrange decides where the form goes. If the person had zoomed the agent's
// pane, the form is zoomed, too; while the person types it covers nothing.
func arrange(at tmuxAt) placement {
	switch {
	case at.typing:
		return fitBehind(at.width, at.height)
	case at.zoomed:
		return placement{side: over}
	}
	return fit(at.width, at.height)
}

// splitArgs builds the split-window command; commandArgs says what it prints. A pane that
// gets the focus is titled by the same start of tmux: it is the current pane of the
// command behind.
func splitArgs(target string, split placement, command Command) []string {
	args := []string{"split-window"}
	switch split.side {
	case right:
		args = append(args, "-h")
	case over:
		args = append(args, "-v", "-Z")
	default:
		args = append(args, "-v")
	}
	if split.behind {
		args = append(args, "-d")
	}
	if split.cells > 0 {
		args = append(args, "-l", strconv.Itoa(split.cells))
	}
	args = append(append(args, "-t", target), commandArgs(command)...)
	if command.Title != "" && !split.behind {
		args = append(append(args, ";", "select-pane"), titleArgs(command.Title)...)
	}
	return args
}

// windowArgs builds the new-window command for a window in the background of a
// session; commandArgs says what it prints.
func windowArgs(session string, command Command) []string {
	return append([]string{"new-window", "-d", "-t", session + ":"}, commandArgs(command)...)
}

// commandArgs are the last arguments of a tmux command that runs a program in a
// new pane. It prints the pane's id and its window's index.
func commandArgs(command Command) []string {
	var args []string
	if command.Dir != "" {
		args = append(args, "-c", word(formatLiteral(command.Dir)))
	}
	for _, pair := range command.Env {
		args = append(args, "-e", word(pair))
	}
	args = append(args, "-P", "-F", "#{pane_id} #{window_index}", "--")
	for _, part := range ignoringInterrupts(command.Argv) {
		args = append(args, word(part))
	}
	return args
}

// zoomArgs zooms the window's active pane, or unzooms it.
func zoomArgs(window string) []string { return []string{"resize-pane", "-Z", "-t", window} }

// giveBackArgs selects the agent's pane if the given pane is the active one of its window,
// and prints a word if it did. With zoomed, the window stays zoomed.
func giveBackArgs(pane, agent string, zoomed bool) []string {
	zoom := ""
	if zoomed {
		zoom = "-Z "
	}
	return []string{"if-shell", "-F", "-t", pane, "#{pane_active}", "select-pane " + zoom + "-t " + agent + " ; display-message -p given"}
}

// closeArgs closes a pane whose command is the process, unless tmux is to keep it.
func closeArgs(pane string, process int) []string {
	closes := fmt.Sprintf("#{&&:#{==:#{pane_pid},%d},#{==:#{remain-on-exit},off}}", process)
	return []string{"if-shell", "-F", "-t", pane, closes, "kill-pane -t " + pane}
}

// rezoomArgs zooms the pane again after the form beside it has ended, because
// that unzooms the window. tmux itself does it half a second later, unless the
// person has zoomed or moved elsewhere by then. run-shell expands formats once
// before if-shell does.
func rezoomArgs(pane string) []string {
	return []string{
		"run-shell", "-b", "-d", "0.5", "-C",
		"if-shell -F -t " + pane + " '##{?window_zoomed_flag,1,##{?pane_active,,1}}' '' 'resize-pane -Z -t " + pane + "'",
	}
}

// titleArgs are the last arguments of select-pane that give its pane a title.
func titleArgs(title string) []string {
	return []string{"-T", word(formatLiteral(safe.New(title).Line()))}
}

// messageTime is how long a message stays, in milliseconds, unless a key is
// pressed; tmux's own 750 are too short to read.
const messageTime = "4000"

func messageArgs(client, text string) []string {
	return []string{"display-message", "-d", messageTime, "-c", client, word(messageLiteral(safe.New(text).Line()))}
}

// word escapes an argument's last semicolon, which tmux otherwise reads as the
// end of the command, even after "--".
func word(argument string) string {
	if strings.HasSuffix(argument, ";") {
		return argument[:len(argument)-1] + `\;`
	}
	return argument
}

// formatLiteral escapes #{…} and #(…); tmux would expand them, and #(…) runs a
// shell.
func formatLiteral(text string) string { return strings.ReplaceAll(text, "#", "##") }

// messageLiteral also escapes strftime's %…, which display-message expands. The status line
// shows fewer # than there are in a row, because it expands the text a second time, by
// rules that differ between versions of tmux.
func messageLiteral(text string) string {
	return strings.ReplaceAll(formatLiteral(text), "%", "%%")
}
