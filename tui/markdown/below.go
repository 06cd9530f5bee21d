package markdown

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Below returns the text for a place below its title. If the text begins with a heading that
// only repeats the title, and more follows, that heading is left out.
func (d Doc) Below(title string) Doc {
	if len(d.Lines) == 0 || !strings.EqualFold(strings.TrimSpace(ansi.Strip(d.Lines[0])), title) || len(d.Wide) > 0 && d.Wide[0].From == 0 {
		return d
	}
	from := 1
	for from < len(d.Lines) && strings.Trim(ansi.Strip(d.Lines[from]), "━─ ") == "" {
		from++ // its rule, and the empty row below
	}
	if from == len(d.Lines) {
		return d // there is nothing else
	}
	d.Lines, d.Source = d.Lines[from:], d.Source[from:]
	d.Wide = slices.Clone(d.Wide)
	for i := range d.Wide {
		d.Wide[i].From -= from
		d.Wide[i].To -= from
	}
	return d
}
