package pictures_test

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// cell is one cell of a captured screen. The second half of a wide character is
// a cell without text.
type cell struct {
	text  string
	style cellStyle
}

// cellStyle is how a cell is drawn. A nil colour is the terminal's own.
type cellStyle struct {
	fg, bg                                          color.Color
	bold, faint, italic, underline, strike, inverse bool
}

// readScreen reads the output of `tmux capture-pane -e -p` into rows of exactly
// width cells. tmux carries the style over line ends, and so does readScreen.
// It refuses everything that it does not know, rather than draw something else.
func readScreen(capture string, width int) ([][]cell, error) {
	var rows [][]cell
	var style cellStyle
	for n, line := range strings.Split(strings.TrimSuffix(capture, "\n"), "\n") {
		row, err := readRow(line, &style)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		if len(row) > width {
			return nil, fmt.Errorf("line %d has %d cells, the screen has %d", n+1, len(row), width)
		}
		for len(row) < width {
			row = append(row, cell{text: " "})
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func readRow(line string, style *cellStyle) ([]cell, error) {
	var row []cell
	parser := ansi.NewParser()
	for state := byte(0); line != ""; {
		seq, cells, n, next := ansi.DecodeSequence(line, state, parser)
		state, line = next, line[n:]
		switch {
		case cells > 0:
			row = append(row, cell{text: seq, style: *style})
			for range cells - 1 {
				row = append(row, cell{style: *style})
			}
		case strings.HasPrefix(seq, "\x1b[") && parser.Command() == 'm':
			if err := style.apply(parser.Params()); err != nil {
				return nil, err
			}
		case strings.HasPrefix(seq, "\x1b]8;"):
			// A hyperlink is not visible.
		case cells == 0 && unicode.IsMark([]rune(seq)[0]) && len(row) > 0:
			row[len(row)-1].text += seq
		default:
			return nil, fmt.Errorf("%q is neither text nor a style", seq)
		}
	}
	return row, nil
}

// apply changes the style by one SGR sequence (ECMA-48, 8.3.117).
func (s *cellStyle) apply(params ansi.Params) error {
	if len(params) == 0 {
		*s = cellStyle{}
	}
	for i := 0; i < len(params); i++ {
		switch p := params[i].Param(0); {
		case p == 38 || p == 48:
			var c color.Color
			n := ansi.ReadStyleColor(params[i:], &c)
			if n == 0 || c == nil {
				return fmt.Errorf("no colour in the style %v", params)
			}
			if p == 38 {
				s.fg = c
			} else {
				s.bg = c
			}
			i += n - 1
		case p == 4 && params[i].HasMore():
			i++ // the kind of underline; 0 is none
			s.underline = i < len(params) && params[i].Param(0) != 0
		case !s.set(p):
			return fmt.Errorf("unknown style %d", p)
		}
	}
	return nil
}

// set changes the style by one number and reports whether it knows the number.
func (s *cellStyle) set(p int) bool {
	switch {
	case p == 0:
		*s = cellStyle{}
	case p == 1:
		s.bold = true
	case p == 2:
		s.faint = true
	case p == 3:
		s.italic = true
	case p == 4:
		s.underline = true
	case p == 7:
		s.inverse = true
	case p == 9:
		s.strike = true
	case p == 22:
		s.bold, s.faint = false, false
	case p == 23:
		s.italic = false
	case p == 24:
		s.underline = false
	case p == 27:
		s.inverse = false
	case p == 29:
		s.strike = false
	case p >= 30 && p <= 37:
		s.fg = ansi.BasicColor(p - 30)
	case p >= 90 && p <= 97:
		s.fg = ansi.BasicColor(p - 90 + 8)
	case p == 39:
		s.fg = nil
	case p >= 40 && p <= 47:
		s.bg = ansi.BasicColor(p - 40)
	case p >= 100 && p <= 107:
		s.bg = ansi.BasicColor(p - 100 + 8)
	case p == 49:
		s.bg = nil
	default:
		return false
	}
	return true
}

func TestReadScreen(t *testing.T) {
	plain := func(text string) cell { return cell{text: text} }
	for name, test := range map[string]struct {
		capture string
		want    [][]cell
	}{
		"plain text is padded":    {"ab\n", [][]cell{{plain("a"), plain("b"), plain(" ")}}},
		"an empty line counts":    {"\na\n", [][]cell{{plain(" "), plain(" "), plain(" ")}, {plain("a"), plain(" "), plain(" ")}}},
		"a wide character":        {"世a\n", [][]cell{{plain("世"), {}, plain("a")}}},
		"a mark joins its letter": {"e\u0301xy\n", [][]cell{{plain("e\u0301"), plain("x"), plain("y")}}},
		"true colour": {"\x1b[38;2;1;2;3ma\x1b[39mb\x1b[0m", [][]cell{{
			{text: "a", style: cellStyle{fg: color.RGBA{1, 2, 3, 255}}}, plain("b"), plain(" ")}}},
		"256 and 16 colours": {"\x1b[38;5;200;44ma\x1b[0mb", [][]cell{{
			{text: "a", style: cellStyle{fg: ansi.IndexedColor(200), bg: ansi.BasicColor(4)}}, plain("b"), plain(" ")}}},
		"a bright background": {"\x1b[107ma", [][]cell{{
			{text: "a", style: cellStyle{bg: ansi.BasicColor(15)}}, plain(" "), plain(" ")}}},
		"attributes come and go": {"\x1b[1;2;3;4;7;9ma\x1b[22;23;24;27mb\x1b[29mc", [][]cell{{
			{text: "a", style: cellStyle{bold: true, faint: true, italic: true, underline: true, inverse: true, strike: true}},
			{text: "b", style: cellStyle{strike: true}}, plain("c")}}},
		"kinds of underline": {"\x1b[4:3ma\x1b[4:0mb", [][]cell{{
			{text: "a", style: cellStyle{underline: true}}, plain("b"), plain(" ")}}},
		"the style outlives the line": {"\x1b[1ma\nb", [][]cell{
			{{text: "a", style: cellStyle{bold: true}}, plain(" "), plain(" ")},
			{{text: "b", style: cellStyle{bold: true}}, plain(" "), plain(" ")}}},
		"a link is not seen": {"\x1b]8;;https://example.org\x1b\\a\x1b]8;;\x1b\\", [][]cell{{plain("a"), plain(" "), plain(" ")}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readScreen(test.capture, 3)
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", test.want) {
				t.Errorf("got  %#v\nwant %#v", got, test.want)
			}
		})
	}
}

func TestReadScreenRefuses(t *testing.T) {
	for name, capture := range map[string]string{
		"more cells than the screen has": "abcd",
		"a cursor movement":              "\x1b[2Ca",
		"a control character":            "\x0ea",
		"an unknown style":               "\x1b[73ma",
		"a colour cut short":             "\x1b[38;2;1ma",
	} {
		if got, err := readScreen(capture, 3); err == nil {
			t.Errorf("%s: %q gave %v, want an error", name, capture, got)
		}
	}
}
