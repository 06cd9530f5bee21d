package form

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/marks"
)

// drawTabs draws the tabs, at their right the progress if the form is high enough, and
// their rule. With only one tab it draws the progress into the rule.
func (q *questionnaire) drawTabs(c *Canvas) bool {
	s, st := q.state, q.host.Styles()
	progress := ""
	if q.headsProgress(c) {
		progress = q.progressBar()
	}
	if len(s.tabs) < 2 {
		if c.roomy {
			c.Add(c.rule("", progress))
		}
		return true
	}
	labels, widths := make([]string, len(s.tabs)), make([]int, len(s.tabs))
	for i := range s.tabs {
		labels[i], widths[i] = q.tabLabel(i)
	}
	room := c.Width - 4
	if progress != "" {
		room -= ansi.StringWidth(progress) + 2
	}
	gap := tabGap(widths, room)
	first, last := visibleTabs(widths, gap, s.tab, room)
	line, rule, x := "", "", 0
	if first > 0 {
		line, rule, x = st.Faint.Render("‹"), st.Rule.Render("─"), 1
	}
	for i := first; i <= last; i++ {
		if i > first {
			line += strings.Repeat(" ", gap)
			rule += st.Rule.Render(strings.Repeat("─", gap))
			x += gap
		}
		q.hit(c, x, len(c.Lines), widths[i], 1, func(int, int) tea.Cmd {
			q.state.goTab(i)
			q.state.enterBody()
			return nil
		})
		line += labels[i]
		if i == s.tab {
			rule += st.TabHere.Underline(false).Render(strings.Repeat("━", widths[i]))
		} else {
			rule += st.Rule.Render(strings.Repeat("─", widths[i]))
		}
		x += widths[i]
	}
	if last < len(s.tabs)-1 {
		line += st.Faint.Render("›")
	}
	c.Add(cells.Sides(line, progress, c.Width-1))
	if c.roomy {
		c.Add(rule + st.Rule.Render(strings.Repeat("─", max(0, c.Width-x))))
	}
	return true
}

// headsProgress reports whether the progress stands beside the tabs, not the buttons.
func (q *questionnaire) headsProgress(c *Canvas) bool { return c.spacious && c.Width >= Narrow }

// progressCells is the cells of the progress bar.
const progressCells = 5

// progressBar draws how many of the questions are answered. The bar is full only when all
// are, and empty only when none is.
func (q *questionnaire) progressBar() string {
	s, st := q.state, q.host.Styles()
	done, all := s.answered(), len(s.spec.Questions)
	full := done * progressCells / max(all, 1)
	if done > 0 {
		full = max(full, 1)
	}
	style, count := st.Accent, st.Muted
	if s.complete() {
		style, count = st.Success, st.Success
	}
	return style.Render(strings.Repeat("▰", full)) + st.Faint.Render(strings.Repeat("▱", progressCells-full)) +
		count.Render(fmt.Sprintf(" %d/%d", done, all))
}

// tabLabel returns a tab's title with a mark: ● while a required answer is missing, a count
// like 3/4 once none is, and ✓ once all questions have answers.
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
	mark, marked := "", st.Text
	switch {
	case s.readOnly:
	case s.tabOpen(i):
		mark, marked = marks.Required, st.Required
	default:
		mark, marked = s.tabMark(i), st.Success
	}
	label = " " + style.Render(text) + " "
	if mark != "" {
		label += marked.Render(mark) + " "
	}
	if i == s.tab && s.zone == inTabs { // the block is as wide as the line below it
		label = style.Render(ansi.Strip(label))
	}
	return label, ansi.StringWidth(label)
}

// tabGap returns the cells between two tabs: 1 if all fit so, else 0. A tab has a blank of
// its own at both sides.
func tabGap(widths []int, room int) int {
	all := len(widths) - 1
	for _, width := range widths {
		all += width
	}
	if all <= room {
		return 1
	}
	return 0
}

// visibleTabs returns the first and the last of the tabs that fit around the current one.
func visibleTabs(widths []int, gap, current, room int) (first, last int) {
	first, last = current, current
	used := widths[current]
	for {
		grown := false
		if last+1 < len(widths) && used+gap+widths[last+1] <= room {
			last++
			used += gap + widths[last]
			grown = true
		}
		if first > 0 && used+gap+widths[first-1] <= room {
			first--
			used += gap + widths[first]
			grown = true
		}
		if !grown {
			return first, last
		}
	}
}
