package pane

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"planb/questions/safe"
)

// tmuxAt is how a pane stands in its window.
type tmuxAt struct {
	width, height int
	window        string // @N
	index         string // of the window, as the status line shows it
	zoomed        bool   // the window shows one pane in its whole size
	active        bool   // the pane is its window's active one
	inView        bool   // the window is its session's current one
}

var errNoPane = errors.New("the tmux pane this server was started in is gone")

const lookFormat = "#{pane_id} #{window_id} #{pane_width} #{pane_height} #{window_zoomed_flag} #{pane_active} " +
	"#{window_active} #{window_index}"

// look reads how the pane stands. It lists panes because display-message
// answers for a pane that is gone too, with nothing and no error.
func (t *Tmux) look(ctx context.Context, pane string) (tmuxAt, error) {
	listed, err := t.tmux(ctx, "list-panes", "-a", "-F", lookFormat)
	if err != nil {
		return tmuxAt{}, err
	}
	return parseLook(listed, pane)
}

func parseLook(listed, pane string) (tmuxAt, error) {
	for line := range strings.Lines(listed) {
		fields := strings.Fields(line)
		if len(fields) != 8 || fields[0] != pane {
			continue
		}
		width, errWidth := strconv.Atoi(fields[2])
		height, errHeight := strconv.Atoi(fields[3])
		if err := errors.Join(errWidth, errHeight); err != nil {
			return tmuxAt{}, fmt.Errorf("tmux told no size: %w", err)
		}
		return tmuxAt{
			width: width, height: height, window: fields[1],
			zoomed: fields[4] == "1", active: fields[5] == "1",
			inView: fields[6] == "1", index: fields[7],
		}, nil
	}
	return tmuxAt{}, errNoPane
}

const activityFormat = "#{window_id} #{client_activity}"

// typingSeconds is how long ago a key counts as typing: three seconds, and the one
// that tmux leaves out of its times.
const typingSeconds = 3

// typingAt reports whether one of the listed clients shows the window and had a key in
// the last seconds.
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

// arrange decides where the form goes. Where the person had zoomed the agent's
// pane, the form is zoomed too; but it covers nobody who types.
func arrange(at tmuxAt, typing bool) placement {
	where := fit(at.width, at.height)
	switch {
	case typing && where.zoomed:
		where = placement{cells: shareOfSmall(at.height)}
	case at.zoomed && !typing:
		where = placement{zoomed: true}
	}
	where.behind = typing
	return where
}

// splitArgs builds the split-window command; it prints the new pane's id.
func splitArgs(target string, split placement, command Command) []string {
	args := []string{"split-window"}
	if split.right {
		args = append(args, "-h")
	} else {
		args = append(args, "-v")
	}
	if split.zoomed {
		args = append(args, "-Z")
	}
	if split.behind {
		args = append(args, "-d")
	}
	if split.cells > 0 {
		args = append(args, "-l", strconv.Itoa(split.cells))
	}
	args = append(args, "-t", target)
	if command.Dir != "" {
		args = append(args, "-c", word(formatLiteral(command.Dir)))
	}
	for _, pair := range command.Env {
		args = append(args, "-e", word(pair))
	}
	args = append(args, "-P", "-F", "#{pane_id}", "--")
	for _, part := range command.Argv {
		args = append(args, word(part))
	}
	return args
}

func selectArgs(pane string, zoomed bool) []string {
	if zoomed {
		return []string{"select-pane", "-Z", "-t", pane}
	}
	return []string{"select-pane", "-t", pane}
}

// rezoomArgs zooms the pane when the form beside it has ended, which unzooms
// the window: half a second from now, by tmux itself, and not if the person
// has zoomed or gone elsewhere by then. run-shell expands formats once before
// if-shell does.
func rezoomArgs(pane string) []string {
	return []string{
		"run-shell", "-b", "-d", "0.5", "-C",
		"if-shell -F -t " + pane + " '##{?window_zoomed_flag,1,##{?pane_active,,1}}' '' 'resize-pane -Z -t " + pane + "'",
	}
}

func titleArgs(pane, title string) []string {
	return []string{"select-pane", "-t", pane, "-T", word(formatLiteral(safe.New(title).Line()))}
}

// messageTime is how long a line stays, in milliseconds, unless a key is
// pressed before; tmux's own 750 are too short to read.
const messageTime = "4000"

func messageArgs(client, text string) []string {
	return []string{"display-message", "-d", messageTime, "-c", client, word(messageLiteral(safe.New(text).Line()))}
}

// word keeps tmux from reading an argument's last semicolon as the end of the
// command, which it does even after "--".
func word(argument string) string {
	if strings.HasSuffix(argument, ";") {
		return argument[:len(argument)-1] + `\;`
	}
	return argument
}

// formatLiteral keeps tmux from expanding #{…} and #(…), which runs a shell.
func formatLiteral(text string) string { return strings.ReplaceAll(text, "#", "##") }

// messageLiteral does so for display-message, which expands strftime's %… too.
// Of several # in a row the status line shows fewer: it reads the text as a
// format a second time, with rules that differ between tmux's versions.
func messageLiteral(text string) string {
	return strings.ReplaceAll(formatLiteral(text), "%", "%%")
}
