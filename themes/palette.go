package themes

// Color is a colour: "#rrggbb", or the index of one of the terminal's colours, "0"
// to "15" in a theme and "16" to "255" from Indexed. The empty Color is the
// terminal's default: a screen sets no colour for it.
type Color string

// Palette is one set of colours, named by what they mean.
type Palette struct {
	// Background is painted where no other background is, and Text where no other
	// colour is set. An empty Background leaves the terminal's own.
	Background Color `toml:"background"`

	Text  Color `toml:"text"`  // main text
	Muted Color `toml:"muted"` // explanations: descriptions, hints, URLs
	Faint Color `toml:"faint"` // the least important text: counters, captions

	Accent     Color `toml:"accent"`      // planb's own colour: the cursor, the chosen option, the current tab
	AccentText Color `toml:"accent-text"` // text painted on Accent
	FocusBg    Color `toml:"focus-bg"`    // background of the focused row
	// FocusReversed draws the focused row on Accent instead, without its own colours, for
	// people to whom a quiet ground says too little.
	FocusReversed bool  `toml:"focus-reversed"`
	Surface       Color `toml:"surface"` // background of dialogs, cards and code blocks

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
	CodeBg  Color `toml:"code-bg"` // background of code inside a sentence; Text and every code colour are readable on it

	AddedBg   Color `toml:"added-bg"`   // background of added lines; Text and Code.Added are readable on it
	RemovedBg Color `toml:"removed-bg"` // background of removed lines; Text and Code.Removed are readable on it

	Code Code `toml:"code"` // colours of highlighted source
}

// Code is the part of a palette that colours source text. All other parts of the
// source are drawn in Palette.Text.
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

// Colorless reports whether the palette sets no colour at all. A screen then marks
// the cursor, the focus and the chosen option by reverse video, bold, underline and
// glyphs.
func (p Palette) Colorless() bool { return p == Palette{} }

// Painted reports whether the palette has its own background.
func (p Palette) Painted() bool { return p.Background != "" }

// Theme is a palette with its name.
type Theme struct {
	Name string `toml:"name"` // what PLANB_THEME and the settings call it
	Dark bool   `toml:"dark"` // made for dark backgrounds

	// Backgrounds holds the ends of the range of backgrounds that the palette is made
	// for. If the palette paints a background, it holds only that one. It is empty if
	// the contrast is not known.
	Backgrounds []Color `toml:"backgrounds"`

	Palette Palette `toml:"palette"`
}

// WithBackground returns the theme for a terminal whose background does not have
// the theme's brightness: the theme then paints the background that it is made
// for. A theme that already paints one, a theme of the terminal's sixteen colours,
// and the theme without colours stay as they are.
func (t Theme) WithBackground() Theme {
	if t.Palette.Painted() || len(t.Backgrounds) == 0 {
		return t
	}
	t.Palette.Background = t.Backgrounds[len(t.Backgrounds)-1]
	t.Backgrounds = []Color{t.Palette.Background}
	return t
}

// Names of the themes that always exist.
const (
	DefaultDark  = "dark"
	DefaultLight = "light"
	NoColor      = "none" // no colours at all, as NO_COLOR asks for
)

// Names of the families that this package treats specially.
const (
	defaultFamily      = "planb"
	highContrastFamily = "high-contrast"
	terminalFamily     = "terminal"
)

// Default returns the theme for a dark or a light terminal background.
func Default(dark bool) Theme { return mustFind(defaultFamily).On(dark) }

// None returns the theme without colours.
func None() Theme { return mustFind(NoColor).Theme }

// Sixteen returns the choice for a terminal with only sixteen colours: the
// terminal family's theme of the same brightness, under the name of c. Rounding
// the palette of c would give colours that look alike.
func Sixteen(c Choice) Choice {
	if c.Theme.Palette.Colorless() {
		return c
	}
	sixteen := mustFind(terminalFamily)
	sixteen.Name = c.Name
	if !c.Theme.Palette.Painted() && !c.Follows {
		sixteen.Theme, sixteen.Other = sixteen.On(c.Theme.Dark), sixteen.On(!c.Theme.Dark)
		sixteen.Follows = false
	}
	return sixteen
}

// mustFind returns a choice that this package itself defines.
func mustFind(name string) Choice {
	c, err := Collection{}.Find(name)
	if err != nil {
		panic("themes: a default theme is missing: " + err.Error())
	}
	return c
}
