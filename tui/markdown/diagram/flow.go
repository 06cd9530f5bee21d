package diagram

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// drawFlow draws a flowchart that is one chain of boxes.
func drawFlow(src source, o Options) (Drawing, error) {
	var ids []string
	labels := map[string]string{}
	for _, line := range src.lines {
		for i, part := range strings.Split(line.text, "-->") {
			id, rest := firstWord(strings.TrimSpace(part))
			label, closed := strings.CutSuffix(rest, "]")
			label, opened := strings.CutPrefix(label, "[")
			first := len(ids) == 0
			if id == "" || rest != "" && !(opened && closed) || !first && (i == 0) != (id == ids[len(ids)-1]) {
				return Drawing{}, &UnsupportedError{Kind: src.kind, Line: line.number, Why: "only a chain of boxes is drawn"}
			}
			if first || i > 0 {
				ids = append(ids, id)
			}
			if rest != "" {
				labels[id] = label
			}
		}
	}
	c, width := newCanvas(o.ASCII), 0
	for _, id := range ids {
		if labels[id] == "" {
			labels[id] = id
		}
		width = max(width, ansi.StringWidth(labels[id]))
	}
	middle := (width + 3) / 2
	for i, id := range ids {
		w := ansi.StringWidth(labels[id]) + 4
		y := i * 5
		if i > 0 {
			c.vertical(middle, y-3, y-1, light, Edge)
			c.mark(middle, y-1, arrowMark, down, Edge)
		}
		x := middle - (w-1)/2
		c.box(x, y, w, 3, false, light, Border)
		c.text(x+2, y+1, labels[id], Text)
	}
	return c.finish()
}
