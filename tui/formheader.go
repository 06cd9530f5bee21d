package tui

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// drawHeader draws who asks, the form's title and the tabs.
func (f *form) drawHeader(c *canvas) {
	f.drawTitle(c)
	if !f.drawTabs(c) && c.roomy {
		c.add(f.rule(c.width, "", ""))
	}
}

// drawTitle draws who asks, if there is room, and the form's title.
func (f *form) drawTitle(c *canvas) {
	st := &f.look.Styles
	if !c.roomy {
		c.add(cells.Sides(" "+st.Title.Render(f.state.spec.Title.Line()), st.Faint.Render(f.queue()), c.width-1))
		return
	}
	c.add(cells.Sides(" "+st.Muted.Render(f.asker()), st.Faint.Render(f.headRight()), c.width-1))
	for _, line := range f.titleLines(c) {
		c.add(" " + st.Title.Render(line))
	}
}

// titleLines is the title on one line, or on two where there is room.
func (f *form) titleLines(c *canvas) []string {
	lines := f.docs.wrap(safe.New(f.state.spec.Title.Line()), c.width-2)
	most := 1
	if c.height >= 24 {
		most = 2
	}
	if len(lines) > most {
		lines = append([]string(nil), lines[:most]...)
		lines[most-1] = cells.Cut(lines[most-1], c.width-4) + " …"
	}
	return lines
}

// asker says who asks: client, project, session. A session named like the form
// is not said twice.
func (f *form) asker() string {
	parts := []string{f.who()}
	if project := f.in.Session.Project; !project.Blank() {
		parts = append(parts, safe.New(path.Base(strings.ReplaceAll(project.Raw(), `\`, "/"))).Line())
	}
	title := f.in.Session.Title.Line()
	if !f.in.Session.Title.Blank() && title != f.state.spec.Title.Line() {
		parts = append(parts, title)
	}
	return strings.Join(parts, " · ")
}

// headRight is the place in the queue, and since when it is asked.
func (f *form) headRight() string {
	var parts []string
	if f.review != nil {
		parts = append(parts, f.review.version())
	}
	if q := f.queue(); q != "" {
		if f.width >= narrow {
			q = "form " + q
		}
		parts = append(parts, q)
	}
	if n := f.in.Beside.others; n > 0 {
		parts = append(parts, fmt.Sprintf("%d more waiting", n))
	}
	if created := f.in.Ask.Created; !created.IsZero() {
		parts = append(parts, "asked "+f.when(created))
	}
	return strings.Join(parts, " · ")
}

func (f *form) queue() string {
	if f.in.QueueOf < 2 {
		return ""
	}
	return strconv.Itoa(f.in.QueueAt) + " of " + strconv.Itoa(f.in.QueueOf)
}

// drawTabs draws the strip of tabs, its rule included; false if there is one
// tab and so no strip.
func (f *form) drawTabs(c *canvas) bool {
	s := f.state
	if len(s.tabs) < 2 {
		return false
	}
	labels, cells := make([]string, len(s.tabs)), make([]int, len(s.tabs))
	for i := range s.tabs {
		labels[i], cells[i] = f.tabLabel(i)
	}
	first, last := visibleTabs(cells, s.tab, c.width-4)
	st := &f.look.Styles
	line, rule, x := "", "", 0
	if first > 0 {
		line, rule, x = st.Faint.Render("‹"), st.Rule.Render("─"), 1
	}
	for i := first; i <= last; i++ {
		f.hit(c, x, len(c.lines), cells[i], 1, func(int, int) tea.Cmd {
			f.state.goTab(i)
			f.state.enterBody()
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
	c.add(line)
	if c.roomy {
		c.add(rule + st.Rule.Render(strings.Repeat("─", max(0, c.width-x))))
	}
	return true
}

// tabLabel is a tab's title with the mark of what is open in it: ● while
// required answers are missing, ✓ when all questions have one.
func (f *form) tabLabel(i int) (label string, width int) {
	s, st := f.state, &f.look.Styles
	const longest = 28
	text := cells.Cut(s.tabs[i].Title.Line(), longest)
	style := st.Tab
	switch {
	case i == s.tab && s.zone == inTabs:
		style = st.ButtonHere
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

// visibleTabs is the run of tabs around the current one that fits.
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

// drawNotices draws what the person should know about the form as a whole, on
// few enough rows that the questions keep most of the screen.
func (f *form) drawNotices(c *canvas) {
	st := &f.look.Styles
	all := f.notices()
	most := noticeRows(c.height)
	spare := max(most-len(all), 0) // rows for what does not fit on one
	const lead = 3                 // cells before the words
	for i, n := range all[:min(len(all), most)] {
		style, rest, room := st.Info, "", c.width-1-lead
		if n.tone == toneWarn {
			style = st.Warning
		}
		if more := len(all) - most; i == most-1 && more > 0 {
			rest = "+" + strconv.Itoa(more)
			room -= 2 + len(rest)
		}
		lines := n.lines(room, 1+spare)
		spare -= len(lines) - 1
		c.add(cells.Sides(" "+style.Render("◆ "+lines[0]), st.Faint.Render(rest), c.width-1))
		for _, line := range lines[1:] {
			c.add(strings.Repeat(" ", lead) + style.Render(line))
		}
	}
}

// noticeRows is how many notices there is room for.
func noticeRows(height int) int {
	switch {
	case height < roomyHeight:
		return 1
	case height < 24:
		return 2
	}
	return height / 8
}

// notice is a line about the form as a whole. The most pressing comes first;
// what is cut away can all be reached from the menu.
type notice struct {
	tone  tone
	text  string
	brief string // for narrow screens; empty: as text
	uncut bool   // brief wherever text does not fit: its end matters
	whole bool   // worth more rows than one, where there are some
}

// lines are the notice in at most so many rows.
func (n notice) lines(width, most int) []string {
	rows := cells.Lines(n.text, width)
	switch {
	case len(rows) == 1, n.whole && len(rows) <= most && width >= narrow:
		return rows
	case n.brief != "" && (n.whole || n.uncut || width < narrow):
		return []string{cells.Cut(n.brief, width)}
	}
	return []string{cells.Cut(n.text, width)}
}

// bodyNotices are those of what stands in place of questions.
func (f *form) bodyNotices() []notice {
	if f.review == nil {
		return nil
	}
	return f.review.notices()
}

func (f *form) notices() []notice {
	if f.state.readOnly {
		return append(append([]notice{f.outcomeNotice()}, f.bodyNotices()...), f.lateNotices()...)
	}
	var all []notice
	if f.trouble != "" {
		all = append(all, notice{tone: toneWarn, text: "Not saved yet, keep this form open: " + f.trouble, brief: "Not saved yet: " + f.trouble, whole: true})
	}
	if n, replaced := f.replacedNotice(); replaced {
		all = append(all, n)
	}
	switch {
	case f.stage == over || f.replaced:
	case f.left:
		all = append(all, notice{tone: toneWarn, text: "The agent stopped waiting; your answer will be kept.", brief: "The agent left; your answer is kept."})
	case f.in.Ask.Outcome.State == questions.Expired:
		all = append(all, notice{tone: toneWarn, text: "The time for this is over, but a late answer is welcome and kept.", brief: "Late, but an answer is welcome.", uncut: true})
	}
	all = append(all, f.bodyNotices()...)
	if f.in.Carried && f.review == nil {
		all = append(all, notice{tone: toneCalm, text: "These are your answers from before your reply. Check them, then submit.", brief: "Your answers from before: check them", uncut: true})
	}
	if f.prior {
		take := "ress " + f.keys.Label(keymap.Prior) + " to take "
		all = append(all, notice{
			text:  "You answered this " + f.when(f.in.Prior.Outcome.At) + ". P" + take + "those answers over.",
			brief: "P" + take + "earlier answers over",
			uncut: true,
		})
	}
	if back := f.keys.Label(keymap.Escape); !f.state.message.Blank() && f.dialog == nil {
		all = append(all, notice{tone: toneCalm, text: "Not sent: your message (" + back + " r goes on with it): " + f.state.message.Line(), brief: "Your message is not sent: " + back + " r"})
	}
	if text := f.mistakes(); text != "" {
		all = append(all, notice{tone: toneCalm, text: text, brief: "Wrong settings: planb config check", whole: true})
	}
	if !f.state.note.Blank() && (f.dialog == nil || f.dialog.input == nil) {
		all = append(all, notice{tone: toneCalm, text: "Your note: " + f.state.note.Line()})
	}
	return all
}

// mistakes names the first thing that is wrong with the person's settings, and how
// to see all.
func (f *form) mistakes() string {
	switch list := f.in.Mistakes; len(list) {
	case 0:
		return ""
	case 1:
		return "In your settings: " + safe.New(list[0]).Line()
	default:
		return fmt.Sprintf("In your settings, beside %d more (planb config check): %s", len(list)-1, safe.New(list[0]).Line())
	}
}

// outcomeNotice says what became of a form that can only be read.
func (f *form) outcomeNotice() notice {
	o := f.in.Ask.Outcome
	by := ""
	if o.By != "" {
		by = " by " + safe.New(o.By).Line()
	}
	stands := o.State.Standing(f.in.Ask.Spec.Plan != nil).Title() + f.at(o)
	text, t := stands+by, toneCalm
	switch o.State {
	case questions.Answered:
		if said, ok := wording.Review(o); ok {
			text = said.Verdict + f.at(o) + by
		}
	case questions.Discuss:
		text += ": " + o.Message.Line()
	case questions.Declined:
		if t = toneWarn; !o.Message.Blank() {
			text += ": " + o.Message.Line()
		}
	case questions.Withdrawn:
		text, t = stands+" by the agent", toneWarn
		switch person := wording.WithdrawnBy(o); {
		case o.Next != "":
			text = stands + ": the plan was submitted again"
		case person != "":
			text = stands + " by " + person
		}
	default:
		text, t = stands, toneWarn
	}
	if note := o.Reply.Note; !note.Blank() {
		text += " · note: " + note.Line()
	}
	return notice{tone: t, text: text}
}

// lateNotices tell in a form that is only read what came too late for it.
func (f *form) lateNotices() []notice {
	var all []notice
	for _, late := range f.in.Ask.Late {
		all = append(all, notice{tone: toneCalm, text: wording.LateLine(f.in.Ask, late, " ("+f.keys.Label(keymap.Menu)+" "+lateLetter+" shows it)")})
	}
	return all
}
