package ink

import (
	"os"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/term"

	"planb/themes"
)

// ground is what is known of a terminal's background.
type ground int

const (
	unknown ground = iota
	dark
	light
)

// palette returns the colours that are read with ease on the ground.
func (g ground) palette() themes.Palette {
	if g == unknown {
		return themes.Printed()
	}
	return themes.PrintedOn(g == dark)
}

func groundOf(isDark bool) ground {
	if isDark {
		return dark
	}
	return light
}

// groundUnder finds out what lies under the text that is written to a terminal.
func groundUnder(to *os.File, environ []string) ground {
	env := variables(environ)
	if told := toldGround(env); told != unknown {
		return told
	}
	return askedGround(to, env)
}

// toldGround returns what COLORFGBG says of the ground. Some terminals set it to their colours
// as "15;0", text first.
func toldGround(env map[string]string) ground {
	colours := strings.Split(env["COLORFGBG"], ";")
	background, err := strconv.Atoi(colours[len(colours)-1])
	if err != nil || background < 0 || background > 15 {
		return unknown
	}
	const grey, black = 7, 8
	return groundOf(background < grey || background == black)
}

// askedGround asks the terminal for its background. It asks only one that is known to answer
// at once, and only while the person has typed nothing ahead, because whoever waits for the
// answer reads what is typed, too.
func askedGround(to *os.File, env map[string]string) ground {
	if !answers(env) || !term.IsTerminal(os.Stdin.Fd()) || !inForeground(os.Stdin) {
		return unknown
	}
	before, err := term.MakeRaw(os.Stdin.Fd())
	if err != nil {
		return unknown
	}
	defer func() { _ = term.Restore(os.Stdin.Fd(), before) }() // nothing can be done about a terminal that is gone
	if typedAhead(os.Stdin) {
		return unknown
	}
	background, err := lipgloss.BackgroundColor(os.Stdin, to)
	if err != nil || background == nil {
		return unknown
	}
	r, g, b, _ := background.RGBA()
	const half = 0x8000
	return groundOf((299*r+587*g+114*b)/1000 < half) // the brightness by ITU-R BT.601
}

// answers reports whether the terminal is one that runs on this machine and answers questions
// about its colours: tmux answers itself, and the others set these variables for their shells.
func answers(env map[string]string) bool {
	for _, name := range []string{"TMUX", "KITTY_WINDOW_ID", "WEZTERM_PANE", "ITERM_SESSION_ID", "GHOSTTY_RESOURCES_DIR", "ALACRITTY_WINDOW_ID", "VTE_VERSION", "WT_SESSION"} {
		if env[name] != "" {
			return true
		}
	}
	return false
}

// variables parts NAME=value pairs.
func variables(pairs []string) map[string]string {
	env := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			env[name] = value
		}
	}
	return env
}
