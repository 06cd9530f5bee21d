package tui

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// drawTitle draws who asks, if there is room, and the form's title.
func (f *form) drawTitle(c *canvas) {
	st := &f.look.Styles
	if !c.roomy {
		c.add(cells.Sides(" "+st.Title.Render(f.in.Ask.Spec.Title.Line()), st.Faint.Render(f.queue()), c.width-1))
		return
	}
	c.add(cells.Sides(" "+st.Muted.Render(f.asker()), st.Faint.Render(f.headRight()), c.width-1))
	for _, line := range f.titleLines(c) {
		c.add(" " + st.Title.Render(line))
	}
}

// titleLines is the title on one line, or on two where there is room.
func (f *form) titleLines(c *canvas) []string {
	lines := f.wraps.wrap(safe.New(f.in.Ask.Spec.Title.Line()), c.width-2)
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
	if !f.in.Session.Title.Blank() && title != f.in.Ask.Spec.Title.Line() {
		parts = append(parts, title)
	}
	return strings.Join(parts, " · ")
}

// headRight is the place in the queue, and since when it is asked.
func (f *form) headRight() string {
	var parts []string
	if b, ok := f.body.(versioned); ok {
		parts = append(parts, b.version())
	}
	if q := f.queue(); q != "" {
		if f.frame.width >= narrow {
			q = "form " + q
		}
		parts = append(parts, q)
	}
	if n := f.in.Beside; n > 0 {
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

func (f *form) notices() []notice {
	if f.in.ReadOnly {
		return append(append([]notice{f.outcomeNotice()}, f.body.notices()...), f.lateNotices()...)
	}
	var all []notice
	if f.outbox.trouble != "" {
		all = append(all, notice{tone: toneWarn, text: "Not saved yet, keep this form open: " + f.outbox.trouble, brief: "Not saved yet: " + f.outbox.trouble, whole: true})
	}
	if n, replaced := f.replacedNotice(); replaced {
		all = append(all, n)
	}
	switch {
	case f.stage == over || f.replaced:
	case f.agent == agentGone:
		all = append(all, notice{tone: toneWarn, text: "The agent stopped waiting; your answer will be kept.", brief: "The agent left; your answer is kept."})
	case f.in.Ask.Outcome.State == questions.Expired:
		all = append(all, notice{tone: toneWarn, text: "The time for this is over, but a late answer is welcome and kept.", brief: "Late, but an answer is welcome.", uncut: true})
	}
	all = append(all, f.body.notices()...)
	if back := f.keys.Label(keymap.Escape); !f.letters.message.Blank() && f.dialog == nil {
		all = append(all, notice{tone: toneCalm, text: "Not sent: your message (" + back + " r goes on with it): " + f.letters.message.Line(), brief: "Your message is not sent: " + back + " r"})
	}
	if text := f.mistakes(); text != "" {
		all = append(all, notice{tone: toneCalm, text: text, brief: "Wrong settings: planb config check", whole: true})
	}
	if !f.letters.note.Blank() && (f.dialog == nil || f.dialog.input == nil) {
		all = append(all, notice{tone: toneCalm, text: "Your note: " + f.letters.note.Line()})
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

// replacedNotice says that another ask waits to take this one's place.
func (f *form) replacedNotice() (notice, bool) {
	return notice{
		tone: toneWarn, text: "The plan was submitted again: that comes up when you finish writing this.",
		brief: "Submitted again: finish, and it comes up",
	}, f.replaced
}
