package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Over draws a line that has styles of its own in this style. The line loses its colours. It
// keeps what a text can have beside them: bold, italics, a line under it or through it. Reverse
// video in it becomes underlined, because the style may be in reverse video itself.
func (s Style) Over(line string) string {
	var out, run strings.Builder
	var has, next attribute
	flush := func() {
		style := s
		style.has |= has
		if run.Len() > 0 {
			out.WriteString(style.sequences().Render(ansi.Strip(run.String())))
		}
		run.Reset()
	}
	for line != "" {
		start := strings.Index(line, "\x1b[")
		if start < 0 {
			start = len(line)
		}
		if start > 0 {
			if next != has {
				flush()
				has = next
			}
			run.WriteString(line[:start])
		}
		line = line[start:]
		length := strings.IndexByte(line, 'm')
		if length < 0 {
			run.WriteString(line)
			break
		}
		next = next.after(line[len("\x1b["):length])
		line = line[length+1:]
	}
	flush()
	return out.String()
}

// after returns the attributes behind an SGR sequence of these parameters.
func (a attribute) after(params string) attribute {
	parts := strings.Split(params, ";")
	for i := 0; i < len(parts); i++ {
		switch parts[i] {
		case "", "0":
			a = 0
		case "1":
			a |= bold
		case "3":
			a |= italic
		case "4", "7":
			a |= underline
		case "9":
			a |= struck
		case "22":
			a &^= bold
		case "23":
			a &^= italic
		case "24", "27":
			a &^= underline
		case "29":
			a &^= struck
		case "38", "48", "58": // the numbers of a colour follow
			if i+1 < len(parts) && parts[i+1] == "2" {
				i += 4
			} else {
				i += 2
			}
		}
	}
	return a
}
