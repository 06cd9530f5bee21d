// Package themes holds colours: palettes as data, found by name.
//
// A palette says what a colour is for, never where it is drawn. Screens,
// Markdown and code all take their colours from the same one. Themes come in
// families, most of which have a dark one and a light one. A family is a file in
// palettes and its name in families. The tests hold a new one to the same rules
// as the others.
//
// The package knows no component and no terminal. The caller finds out whether
// the background is dark, how many colours there are, and whether NO_COLOR is
// set, and then asks for a theme.
//
// Themes stand on one of two grounds. Planb's own, and those of the terminal's
// sixteen colours, stand on the terminal's background (planb's own only where that
// is as dark or as light as they are: Grounded). All others paint their
// own over the whole screen (Palette.Background): a palette is made for one
// ground, and whoever picks it in a terminal of other colours would get
// something unreadable without it.
//
// Every theme but the terminal's promises, on the backgrounds it is made for
// (Theme.Backgrounds) and on those it paints itself, both in true colour and
// rounded to the 256-colour palette: 4.5:1 contrast for whatever is read, in
// high contrast 7:1, and 3:1 for the border that marks the focus. Where the colour
// that a project has published has less, its lightness is changed as little as
// possible, and a comment beside it names the published one.
package themes

// Color is a colour: "#rrggbb", or one of the terminal's sixteen as its index,
// "0" to "15". The empty Color is the terminal's own: it is drawn by setting
// nothing.
type Color string

// Palette is one set of colours, named by what they mean.
type Palette struct {
	// Background is painted wherever no other background is, and Text wherever
	// nothing else is set. Empty leaves the terminal's own.
	Background Color `toml:"background"`

	Text  Color `toml:"text"`  // what is read
	Muted Color `toml:"muted"` // what explains: descriptions, hints, URLs
	Faint Color `toml:"faint"` // what can be overlooked: counters, captions

	Accent     Color `toml:"accent"`      // the one colour of planb: the cursor, the chosen option, the current tab
	AccentText Color `toml:"accent-text"` // text painted on Accent
	FocusBg    Color `toml:"focus-bg"`    // background of the focused row; every text colour is readable on it

	Border      Color `toml:"border"`       // rules and frames
	BorderFocus Color `toml:"border-focus"` // the frame that has the focus

	Success  Color `toml:"success"`
	Warning  Color `toml:"warning"`
	Danger   Color `toml:"danger"`
	Info     Color `toml:"info"`
	Required Color `toml:"required"` // the mark of a question that must be answered
	Note     Color `toml:"note"`     // what the person wrote beside an answer

	Heading Color `toml:"heading"` // Markdown headings
	Link    Color `toml:"link"`    // link texts
	CodeBg  Color `toml:"code-bg"` // background of code inside a sentence; every code colour is readable on it

	AddedBg   Color `toml:"added-bg"`   // background of what was put into a text; Code.Added is readable on it
	RemovedBg Color `toml:"removed-bg"` // background of what was taken out; Code.Removed is readable on it

	Code Code `toml:"code"` // colours of highlighted source
}

// Code is the part of a palette that colours source text. Whatever has no
// colour of its own is drawn in Palette.Text.
type Code struct {
	Keyword  Color `toml:"keyword"`
	String   Color `toml:"string"`
	Number   Color `toml:"number"`
	Comment  Color `toml:"comment"`
	Function Color `toml:"function"`
	Type     Color `toml:"type"`
	Added    Color `toml:"added"`   // an added line of a diff
	Removed  Color `toml:"removed"` // a removed line of a diff
}

// Colorless reports whether the palette sets no colour at all. Whoever draws
// with it marks the cursor, the focus and the chosen option by reverse video,
// bold, underline and glyphs instead.
func (p Palette) Colorless() bool { return p == Palette{} }

// Painted reports whether the palette has its own background.
func (p Palette) Painted() bool { return p.Background != "" }

// Theme is a palette with its name.
type Theme struct {
	Name string `toml:"name"` // what PLANB_THEME and the settings call it
	Dark bool   `toml:"dark"` // made for dark backgrounds

	// Backgrounds are the backgrounds the palette is made for, from one end of
	// the range to the other: its own, if it paints one. None, if nothing can be
	// said of its contrast.
	Backgrounds []Color `toml:"backgrounds"`

	Palette Palette `toml:"palette"`
}

// Grounded returns the theme as it is drawn in a terminal whose background is not
// of its brightness: with the background it is made for painted, where it paints
// none. A theme of the terminal's sixteen colours, and the one without colours,
// stay as they are.
func (t Theme) Grounded() Theme {
	if t.Palette.Painted() || len(t.Backgrounds) == 0 {
		return t
	}
	t.Palette.Background = t.Backgrounds[len(t.Backgrounds)-1]
	t.Backgrounds = []Color{t.Palette.Background}
	return t
}

// Names of the themes that are always there.
const (
	DefaultDark  = "dark"
	DefaultLight = "light"
	NoColor      = "none" // no colours at all, as NO_COLOR asks for
)

// Names of the families that mean something to this package.
const (
	defaultFamily      = "planb"
	highContrastFamily = "high-contrast"
	terminalFamily     = "terminal"
)

// Default returns the theme for a dark or a light terminal background.
func Default(dark bool) Theme { return mustHave(defaultFamily).On(dark) }

// None returns the theme without colours.
func None() Theme { return mustHave(NoColor).Theme }

// Sixteen returns what a choice looks like on a terminal that has sixteen
// colours and no others: its palette rounded to these would have colours that
// cannot be told apart, so it is the one made of them, of the same brightness.
func Sixteen(c Choice) Choice {
	if c.Theme.Palette.Colorless() {
		return c
	}
	sixteen := mustHave(terminalFamily)
	sixteen.Name = c.Name
	if !c.Theme.Palette.Painted() && !c.Follows {
		sixteen.Theme, sixteen.Other = sixteen.On(c.Theme.Dark), sixteen.On(!c.Theme.Dark)
		sixteen.Follows = false
	}
	return sixteen
}

// mustHave returns a choice this package defines itself.
func mustHave(name string) Choice {
	c, err := Find(name)
	if err != nil {
		panic("themes: a default theme is missing: " + err.Error())
	}
	return c
}
