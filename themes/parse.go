package themes

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// ParseError says what is wrong in a family's file, and what to do.
type ParseError struct {
	Line   int // from 1; 0 if the whole file is meant
	Reason string
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// Parse reads a family that a person wrote. Its file looks like planb's own in
// palettes; dark and light may be left out if there is only one theme. Parse checks
// all that drawing relies on. It accepts low contrast, which Theme.LowContrast finds.
// The error is a *ParseError.
func Parse(text []byte) (Family, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // Windows editors write a byte order mark
	f, err := decode(text)
	if err != nil {
		return Family{}, err
	}
	lines := linesOf(text)
	f.line = lines.at(-1, "name")
	if err := f.checkNames(lines); err != nil {
		return Family{}, err
	}
	for i := range f.Themes {
		t := &f.Themes[i]
		key, reason := t.wrongColor()
		if reason == "" {
			key, reason = t.complete()
		}
		if reason != "" {
			return Family{}, &ParseError{lines.at(i, key), fmt.Sprintf("the theme %s %s", t.Name, reason)}
		}
	}
	return f, nil
}

// decode reads a family's file without looking at what it means.
func decode(text []byte) (f Family, err error) {
	err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&f)
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		first := strict.Errors[0]
		line, _ := first.Position()
		path := first.Key()
		return f, &ParseError{line, fmt.Sprintf("there is no %q in a theme's file%s", strings.Join(path, "."), suggest(path[len(path)-1]))}
	}
	syntax, ok := errors.AsType[*toml.DecodeError](err)
	switch {
	case err == nil:
		return f, nil
	case !ok:
		return f, &ParseError{Reason: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	line, column := syntax.Position()
	reason := strings.TrimPrefix(syntax.Error(), "toml: ")
	if strings.Contains(reason, "cannot decode") {
		reason = `the value has the wrong type; names and colours are text in quotes, dark is true or false, backgrounds is a list`
	}
	return f, &ParseError{line, fmt.Sprintf("%s (column %d)", reason, column)}
}

// suggest names the key that was probably meant.
func suggest(key string) string {
	known := []string{"name", "dark", "light", "theme", "backgrounds", "palette", "code"}
	for _, c := range (Palette{}).colours() {
		known = append(known, strings.TrimPrefix(c.name, "code."))
	}
	if meant := nearest(key, known); meant != "" {
		return "; did you mean " + meant + "?"
	}
	return "; take the line out"
}

// fileLines are the lines of the keys in a family's file: first of those above all
// themes, then of each theme. The line of a theme's header has the key "".
type fileLines []map[string]int

// at returns the line of a key of a theme, or of the theme's header; in a file whose themes
// are a list without headers, the line of that list.
func (l fileLines) at(theme int, key string) int {
	if theme+1 >= len(l) {
		return l[0]["theme"]
	}
	if line := l[theme+1][key]; line > 0 {
		return line
	}
	return l[theme+1][""]
}

func linesOf(text []byte) fileLines {
	lines := fileLines{{}}
	table := ""
	parser := unstable.Parser{}
	parser.Reset(text)
	for parser.NextExpression() {
		node := parser.Expression()
		var path []string
		line := 0
		for parts := node.Key(); parts.Next(); {
			if line == 0 {
				line = 1 + bytes.Count(text[:parts.Node().Raw.Offset], []byte("\n"))
			}
			path = append(path, string(parts.Node().Data))
		}
		switch name := strings.Join(path, "."); node.Kind {
		case unstable.ArrayTable:
			lines = append(lines, map[string]int{"": line})
			table = ""
		case unstable.Table:
			table = strings.TrimPrefix(name, "theme.") + "."
		default:
			lines[len(lines)-1][table+name] = line
		}
	}
	return lines
}

// checkNames checks the names of the family and its themes, and fills in Dark and
// Light for a family of one theme.
func (f *Family) checkNames(lines fileLines) error {
	valid := regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
	const rule = "a name has up to 40 lower-case letters, digits and hyphens"
	if !valid.MatchString(f.Name) {
		return &ParseError{lines.at(-1, "name"), fmt.Sprintf("the family is called %q; %s, such as name = \"mine\"", f.Name, rule)}
	}
	if len(f.Themes) == 0 {
		return &ParseError{lines.at(-1, "name"), "the family has no theme; add one under [[theme]]"}
	}
	var names []string
	for i, t := range f.Themes {
		switch {
		case !valid.MatchString(t.Name):
			return &ParseError{lines.at(i, "name"), fmt.Sprintf("the theme is called %q; %s, such as name = \"%s-dark\"", t.Name, rule, f.Name)}
		case slices.Contains(names, t.Name):
			return &ParseError{lines.at(i, "name"), fmt.Sprintf("there are two themes called %s; take another name", t.Name)}
		case t.Name == f.Name && len(f.Themes) > 1:
			return &ParseError{lines.at(i, "name"), fmt.Sprintf("the theme is called %s, as its family; take another name, such as %s-dark", t.Name, t.Name)}
		}
		names = append(names, t.Name)
	}
	for _, end := range []struct {
		key  string
		name *string
	}{{"dark", &f.Dark}, {"light", &f.Light}} {
		if *end.name == "" && len(names) == 1 {
			*end.name = names[0]
		}
		if !slices.Contains(names, *end.name) {
			return &ParseError{lines.at(-1, end.key), fmt.Sprintf("%s = %q names no theme of the family; write one of %s", end.key, *end.name, strings.Join(names, ", "))}
		}
	}
	return nil
}

// parseColor reads a colour of the form "#rrggbb".
func parseColor(c Color) (rgb, bool) {
	if len(c) != 7 || c[0] != '#' {
		return rgb{}, false
	}
	v, err := strconv.ParseUint(string(c[1:]), 16, 24)
	return rgb{uint8(v >> 16), uint8(v >> 8), uint8(v)}, err == nil
}

// wrongColor returns the key of a value that is no colour, and what is wrong with it.
func (t *Theme) wrongColor() (key, reason string) {
	all := t.Palette.colours()
	for i := range all {
		all[i].name = "palette." + all[i].name
	}
	for _, ground := range t.Backgrounds {
		all = append(all, namedColor{"backgrounds", ground})
	}
	for _, c := range all {
		_, isRGB := parseColor(c.Color)
		index, err := strconv.ParseUint(string(c.Color), 10, 8)
		if !isRGB && c.Color != "" && (err != nil || index > 15) {
			return c.name, fmt.Sprintf("has %q for %s; write \"#rrggbb\", or \"0\" to \"15\" for a colour of the terminal", c.Color, c.name)
		}
	}
	return "", ""
}

// complete derives what the palette implies: its backgrounds and, if the file has none, a
// surface. It returns the first key that has to be corrected, and the reason.
func (t *Theme) complete() (key, reason string) {
	if _, ok := parseColor(t.Palette.Accent); !ok {
		t.Backgrounds = nil // the contrast of the terminal's own colours is not known
		return t.mixed()
	}
	var missing []string
	for _, c := range t.Palette.colours() {
		if _, ok := parseColor(c.Color); !ok && c.name != "background" && c.name != "surface" {
			missing = append(missing, c.name)
		}
	}
	if len(missing) > 0 {
		return "", "has no \"#rrggbb\" for " + strings.Join(missing, ", ") + "; give every colour one, under [theme.palette] and [theme.palette.code]"
	}
	if t.Palette.Painted() {
		t.Backgrounds = []Color{t.Palette.Background}
	}
	if len(t.Backgrounds) == 0 {
		return "", "names no background; add background to its palette, or, to keep the terminal's, backgrounds = [\"#rrggbb\"] with one that it is made for"
	}
	for _, ground := range t.Backgrounds {
		v, ok := parseColor(ground)
		if !ok {
			return "backgrounds", fmt.Sprintf("has %q for backgrounds; write \"#rrggbb\"", ground)
		}
		if dark := contrast(v.luminance(), 1) > contrast(v.luminance(), 0); dark != t.Dark {
			return "dark", fmt.Sprintf("has the background %s; write dark = %t under its [[theme]]", ground, dark)
		}
	}
	if t.Palette.Surface == "" {
		t.Palette.Surface = between(t.Backgrounds[len(t.Backgrounds)-1], t.Palette.FocusBg)
	}
	return "", ""
}

// mixed finds a colour that is not the terminal's in a theme whose accent is.
func (t *Theme) mixed() (key, reason string) {
	for _, c := range t.Palette.colours() {
		if _, isRGB := parseColor(c.Color); isRGB {
			return "palette.accent", fmt.Sprintf("has %s for %s, but no \"#rrggbb\" for accent; write all its colours in the same way", c.Color, c.name)
		}
	}
	return "", ""
}
