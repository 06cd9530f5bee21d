package inbox

import (
	"planb/questions/safe"
	"planb/tui/markdown"
)

// welcome tells a person whose store is empty what planb waits for and what to do. In a
// small window it is shorter.
func (l *Screen) welcome() []string {
	room := l.page.BodyLines() - l.aboveList()
	lines := l.drawWelcome(true, true)
	if len(lines) > room {
		lines = l.drawWelcome(false, true)
	}
	if len(lines) > room {
		lines = l.drawWelcome(false, false)
	}
	return lines
}

func (l *Screen) drawWelcome(whole, airy bool) []string {
	st := l.page.Look.Styles
	const margin = 2
	most := min(l.page.Width-2*margin, 76) // longer lines are hard to read
	var lines []string
	say := func(style func(...string) string, indent, text string) {
		for _, line := range markdown.Plain(safe.New(text), most-len(indent)).Lines {
			lines = append(lines, "  "+indent+style(line))
		}
	}
	gap := func() {
		if airy {
			lines = append(lines, "")
		}
	}
	todo := func(text, command string) {
		gap()
		say(st.Muted.Render, "", text)
		say(st.Accent.Render, "  ", command)
	}
	gap()
	say(st.Title.Render, "", "Nothing has been asked yet.")
	if whole {
		gap()
		say(st.Text.Render, "", "planb waits for your coding agent. When it asks you something, a form opens beside it. "+
			"It appears here too, and stays with your answers and the plans that come of it.")
	}
	todo("Register this command with your agent, as an MCP server:", "planb mcp")
	if whole {
		todo("In Claude Code, for example:", "claude mcp add planb -- planb mcp")
	}
	todo("To see the whole way once, without an agent:", "planb demo")
	return lines
}
