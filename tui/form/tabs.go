package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
)

// drawTabs draws the tabs and their rule. With only one tab it draws nothing and returns
// false.
func (q *questionnaire) drawTabs(c *Canvas) bool {
	s := q.state
	if len(s.tabs) < 2 {
		return false
	}
	labels, cells := make([]string, len(s.tabs)), make([]int, len(s.tabs))
	for i := range s.tabs {
		labels[i], cells[i] = q.tabLabel(i)
	}
	first, last := visibleTabs(cells, s.tab, c.Width-4)
	st := q.host.Styles()
	line, rule, x := "", "", 0
	if first > 0 {
		line, rule, x = st.Faint.Render("‹"), st.Rule.Render("─"), 1
	}
	for i := first; i <= last; i++ {
		q.hit(c, x, len(c.Lines), cells[i], 1, func(int, int) tea.Cmd {
			q.state.goTab(i)
			q.state.enterBody()
			return nil
		})
		line += labels[i]
		if i == s.tab {
			rule += st.TabHere.UnsetTransform().Render(strings.Repeat("━", cells[i]))
		} else {
			rule += st.Rule.Render(strings.Repeat("─", cells[i]))
		}
		x += cells[i]
	}
	if last < len(s.tabs)-1 {
		line += st.Faint.Render("›")
	}
	c.Add(line)
	if c.roomy {
		c.Add(rule + st.Rule.Render(strings.Repeat("─", max(0, c.Width-x))))
	}
	return true
}

// tabLabel returns a tab's title with a mark: ● while a required answer is missing, ✓
// when all questions have answers.
func (q *questionnaire) tabLabel(i int) (label string, width int) {
	s, st := q.state, q.host.Styles()
	const longest = 28
	text := cells.Cut(s.tabs[i].Title.Line(), longest)
	style := st.Tab
	switch {
	case i == s.tab && s.zone == inTabs:
		style = st.Pressed
	case i == s.tab:
		style = st.TabHere
	}
	mark := ""
	switch {
	case s.readOnly:
	case s.tabOpen(i):
		mark = st.Required.Render("●") + " "
	case s.tabDone(i):
		mark = st.Success.Render("✓") + " "
	}
	label = " " + style.Render(text) + " " + mark
	if i == s.tab && s.zone == inTabs {
		label = style.Render(" "+text+" ") + mark
	}
	return label, ansi.StringWidth(label)
}

// visibleTabs returns the first and the last of the tabs that fit around the current one.
func visibleTabs(cells []int, current, width int) (first, last int) {
	first, last = current, current
	used := cells[current]
	for {
		grown := false
		if last+1 < len(cells) && used+cells[last+1] <= width {
			last++
			used += cells[last]
			grown = true
		}
		if first > 0 && used+cells[first-1] <= width {
			first--
			used += cells[first]
			grown = true
		}
		if !grown {
			return first, last
		}
	}
}
