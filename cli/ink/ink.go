// Package ink is how planb's commands print for a person: the marks and colours of the
// screens, tables with aligned columns, Markdown, and the help.
//
// It knows no command and no record. A command asks On for the ink of the file that it
// prints to. On a terminal the ink has colours, unless NO_COLOR is set; in a file or a
// pipe it has none. Messages without columns are broken by cli/layout.
package ink

import (
	"fmt"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"planb/cli/layout"
	"planb/questions/safe"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/marks"
	"planb/tui/screen"
)

// Ink is how a command prints to one file.
type Ink struct {
	screen.Styles
	Width    int  // of a line, in cells; layout.Endless in a file or a pipe
	Terminal bool // the file is a terminal

	palette themes.Palette
}

// Named returns the theme that the person named, or false if there is none.
type Named func() (themes.Choice, bool)

// On returns the ink for a file, in the environment of this process. Its colours are those of
// the theme that the person named. Without one, or if named is nil, they are those of planb's
// own theme for the ground.
func On(to *os.File, environ []string, named Named) Ink {
	k := Ink{Width: layout.Endless, Terminal: term.IsTerminal(to.Fd())}
	if !k.Terminal {
		return k
	}
	if width, _, err := term.GetSize(to.Fd()); err == nil && width > 0 { // otherwise the terminal does not know its size
		k.Width = width
	}
	profile := Profile(to, environ)
	switch profile {
	case colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI:
		var theme themes.Choice
		ok := false
		if named != nil {
			theme, ok = named()
		}
		k.palette = paletteFor(profile, theme, ok, func() ground { return groundUnder(to, environ) })
	case colorprofile.ASCII: // NO_COLOR leaves bold and faint
	default:
		return k // a terminal that understands no escape sequence
	}
	k.Styles = screen.NewStyles(k.palette)
	return k
}

// Profile returns how many colours a file shows. For the streams of this process Lip Gloss has
// found it out when it was initialised, if stdout is a terminal. Inside tmux each search
// starts `tmux info`, which the person would feel.
func Profile(to *os.File, environ []string) colorprofile.Profile {
	if known := lipgloss.Writer.Profile; known > colorprofile.NoTTY && (to == os.Stdout || to == os.Stderr && term.IsTerminal(to.Fd())) {
		return known
	}
	return colorprofile.Detect(to, environ)
}

// paletteFor returns the colours for a terminal that can show these: those of the theme, if the
// person named one. under finds out the ground. It is called only where the answer counts.
func paletteFor(profile colorprofile.Profile, theme themes.Choice, named bool, under func() ground) themes.Palette {
	switch {
	case named && theme.Theme.Palette.Colorless():
		return themes.Palette{}
	case profile == colorprofile.ANSI:
		return themes.PrintedSixteen()
	}
	on := dark
	switch {
	case !named || theme.Follows:
		on = under()
	case !theme.Theme.Dark:
		on = light
	}
	palette := on.palette()
	if named && on != unknown {
		palette = theme.On(on == dark).Printed()
	}
	if profile == colorprofile.ANSI256 {
		return themes.Indexed(themes.Theme{Palette: palette, Dark: on == dark})
	}
	return palette
}

// Message breaks a message of planb to the width, as layout.Message does. In colours it is in
// the style, and what is there to be copied has the accent and no backquotes.
func (k Ink) Message(head, text string, style cells.Style) string {
	if k.palette.Colorless() {
		return layout.Message(head, text, k.Width)
	}
	return layout.Styled(head, text, k.Width,
		func(word string) string { return style.Render(word) },
		func(copied string) string { return k.Accent.Render(copied) })
}

// Note prints to a file what a person reads in place of a list: why there is none, and the
// command that changes that.
func Note(to *os.File, environ []string, named Named, text string) error {
	k := On(to, environ, named)
	_, err := fmt.Fprintln(to, k.Message("", text, k.Text))
	return err
}

// Done is the line that says what a command has done.
func (k Ink) Done(text string) string {
	if !k.Terminal {
		return text + "\n"
	}
	return layout.Row(k.Success.Render(marks.Answered)+" ", text, k.Width)
}

// Written says which file a command has written. A path that does not fit beside the words
// gets a line of its own.
func (k Ink) Written(path string) string {
	return layout.Item(k.Success.Render(marks.Answered)+" Written: ", k.Accent.Render(path), k.Width)
}

// Markdown renders a text, indented by that many cells. It ends the last line.
func (k Ink) Markdown(text safe.Text, indent int) string {
	return k.Citing(markdown.Cited{}, text, indent)
}

// Citing is Markdown for a text whose citations show what they cite.
func (k Ink) Citing(cited markdown.Cited, text safe.Text, indent int) string {
	const widest = 100 // a line that is still read with ease
	room := min(k.Width, widest) - indent
	doc := markdown.New(k.palette, 0).Joined().Citing(cited).Render(text, room)
	var out strings.Builder
	for _, line := range doc.Lines {
		out.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+line, " ") + "\n")
	}
	return out.String()
}

// Code colours source text of a language, indented by that many cells. It ends the last
// line. The text must not contain a line of three backquotes.
func (k Ink) Code(language, text string, indent int) string {
	return k.Markdown(safe.New("```"+language+"\n"+text+"\n```\n"), indent)
}
