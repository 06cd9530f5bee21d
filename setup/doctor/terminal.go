package doctor

import (
	"fmt"
	"time"
)

// Terminal is what is known about the terminal that forms would be drawn on.
type Terminal struct {
	There   bool   // planb was started in one
	Width   int    // columns
	Height  int    // rows
	Colours string // the number of colours, in words; "none" with NO_COLOR
	Name    string // TERM
	SSH     bool   // reached over SSH
	UTF8    bool   // the locale's encoding
	Locale  string // the variable that sets the encoding, with its value

	Tmux *Tmux // nil outside tmux
}

// Tmux is what is known about the tmux around the terminal.
type Tmux struct {
	Version    string
	EscapeTime time.Duration // how long tmux waits after Esc for the rest of a key
	RGB        bool          // it passes 24-bit colours on
	Err        error         // why the rest is not known
}

// The smallest size that a form supports, the size it needs to be comfortable,
// and the longest delay after Esc that does not feel broken.
const (
	minWidth, minHeight = 40, 12
	wantedWidth         = 80
	wantedHeight        = 24
	maxEscapeTime       = 50 * time.Millisecond
)

func (t Terminal) Findings() []Finding {
	if !t.There {
		return []Finding{t.found("terminal", Note, "planb was not started in a terminal, so it can't check one", "")}
	}
	list := []Finding{t.size(), t.colours(), t.encoding()}
	if t.Tmux != nil {
		list = append(list, t.Tmux.findings()...)
	}
	return list
}

func (Terminal) found(name string, state State, detail, remedy string) Finding {
	return Finding{Area: AreaTerminal, Name: name, State: state, Detail: detail, Remedy: remedy}
}

func (t Terminal) size() Finding {
	size := fmt.Sprintf("%d columns × %d rows", t.Width, t.Height)
	switch {
	case t.Width < minWidth || t.Height < minHeight:
		return t.found("size", Problem, size+fmt.Sprintf("; a form needs %d × %d", minWidth, minHeight), "make the window larger")
	case t.Width < wantedWidth || t.Height < wantedHeight:
		return t.found("size", Warning, size+"; forms have little room", fmt.Sprintf("make the window %d × %d or larger", wantedWidth, wantedHeight))
	}
	return t.found("size", OK, size, "")
}

func (t Terminal) colours() Finding {
	detail := t.Colours
	if t.Name != "" {
		detail += " (TERM=" + t.Name + ")"
	}
	if t.Name == "dumb" || t.Name == "" {
		return t.found("colours", Warning, "the terminal does not say what it can do (TERM="+t.Name+")", "set TERM to the terminal's name, for example xterm-256color")
	}
	return t.found("colours", OK, detail, "")
}

func (t Terminal) encoding() Finding {
	if t.UTF8 {
		return t.found("encoding", OK, "UTF-8 ("+t.Locale+")", "")
	}
	locale := t.Locale
	if locale == "" {
		locale = "no LC_ALL, LC_CTYPE or LANG"
	}
	return t.found("encoding", Warning, "the locale is not UTF-8 ("+locale+"), so lines and signs may look wrong",
		"set LANG to a UTF-8 locale, for example C.UTF-8, also in the shell that starts tmux")
}

func (m Tmux) findings() []Finding {
	var t Terminal
	if m.Err != nil {
		return []Finding{t.found("tmux", Problem, "tmux does not answer: "+m.Err.Error(), "check whether this works here:  tmux list-panes")}
	}
	list := []Finding{t.found("tmux", OK, m.Version, "")}
	if m.EscapeTime > maxEscapeTime {
		list = append(list, t.found("escape-time", Warning,
			fmt.Sprintf("tmux waits %d ms after Esc, which makes it feel broken", m.EscapeTime.Milliseconds()),
			"run planb setup tmux, or add to tmux.conf, and run once in tmux:  set -sg escape-time 10"))
	} else {
		list = append(list, t.found("escape-time", OK, fmt.Sprintf("%d ms", m.EscapeTime.Milliseconds()), ""))
	}
	if m.RGB {
		return append(list, t.found("tmux colours", OK, "24-bit", ""))
	}
	return append(list, t.found("tmux colours", Note, "256; if your terminal has 24-bit colours, tmux passes them on after  set -as terminal-features \",*:RGB\"", ""))
}
