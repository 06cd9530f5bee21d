package form

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// headGap is the cells between the title and who asks.
const headGap = 3

// drawTitle draws the form's title and who asks: beside the title, or below it if there is
// no room. If the agent has left, a row that is there anyway says so: it happens while the
// person reads or writes, and a new row would move all rows below it.
func (f *Form) drawTitle(c *Canvas) {
	st := &f.look.Styles
	titles := f.titleLines(c)
	first, last := " "+st.Title.Render(titles[0]), len(titles)-1
	notice, gone := f.goneWords(c.Width)
	if !c.roomy {
		right := st.Faint.Render(f.queue())
		if gone {
			first, right = " "+notice, ""
		}
		c.Add(cells.Sides(first, right, c.Width-1))
		return
	}
	facts, passing := f.facts()
	right := cells.Join(slices.Concat(facts, passing)...)
	beside := f.askerWithin(c.Width - ansi.StringWidth(titles[0]) - headGap - ansi.StringWidth(right) - 4)
	switch who := st.Muted.Render(beside); {
	case last > 0 || beside == "" && f.asker() != "":
		for _, title := range titles {
			c.Add(" " + st.Title.Render(title))
		}
		below, right := fitted(f.askerParts(), facts, passing, c.Width-2)
		who = " " + st.Muted.Render(below)
		if gone && !c.spacious {
			who, right = " "+notice, ""
		}
		c.Add(cells.Sides(who, st.Faint.Render(right), c.Width-1))
	case gone && !c.spacious:
		c.Add(cells.Sides(first, notice, c.Width-1))
	default:
		if beside != "" {
			first += strings.Repeat(" ", headGap) + who
		} else {
			_, right = fitted(titles, facts, passing, c.Width-2)
		}
		c.Add(cells.Sides(first, st.Faint.Render(right), c.Width-1))
	}
}

// drawAir leaves a row empty where there is room. Once the agent has left, the row says so.
func (f *Form) drawAir(c *Canvas) {
	if !c.spacious {
		return
	}
	notice, gone := f.goneWords(c.Width)
	if gone {
		notice = " " + notice
	}
	c.Add(notice)
}

// goneWords tells that the agent stopped waiting, in at most width cells.
func (f *Form) goneWords(width int) (words string, gone bool) {
	n, gone := f.agentNotice()
	if !gone {
		return "", false
	}
	return f.look.Styles.Warning.Render("◆ " + n.lines(width-1-noticeLead, 1)[0]), true
}

// titleLines is the title on one line, or on two where there is room.
func (f *Form) titleLines(c *Canvas) []string {
	lines := f.wraps.wrap(safe.New(f.in.Ask.Spec.Title.Line()), c.Width-2)
	most := 1
	if c.Height >= 24 {
		most = 2
	}
	if len(lines) > most {
		lines = append([]string(nil), lines[:most]...)
		lines[most-1] = cells.Cut(lines[most-1], c.Width-4) + " …"
	}
	return lines
}

// askerParts says who asks: client, project, session. It leaves out words that the form's
// title has, repetitions, and an agent without a name.
func (f *Form) askerParts() []string {
	project := ""
	if p := f.in.Session.Project; !p.Blank() {
		project = safe.New(path.Base(strings.ReplaceAll(p.Raw(), `\`, "/"))).Line()
	}
	said, parts := []string{f.in.Ask.Spec.Title.Line()}, []string(nil)
	who := wording.ClientName(f.in.Ask.Client)
	if who == "" {
		who = wording.ClientName(f.in.Session.Client)
	}
	if f.in.Own {
		who = ""
	}
	for _, part := range []string{who, project, f.in.Session.Title.Line()} {
		known := slices.ContainsFunc(said, func(s string) bool { return strings.EqualFold(s, part) })
		if part != "" && !known {
			said, parts = append(said, part), append(parts, part)
		}
	}
	return parts
}

func (f *Form) asker() string { return cells.Join(f.askerParts()...) }

// askerWithin returns who asks in at most room cells, without the session if that needs the
// room. It is empty if not even that fits.
func (f *Form) askerWithin(room int) string {
	parts := f.askerParts()
	return cells.Longest(room, cells.Join(parts...), cells.Join(parts[:min(len(parts), 2)]...), "")
}

// facts returns the plan's version and the place in the queue, and what may go where there is
// no room: what waits elsewhere, and when the agent asked.
func (f *Form) facts() (facts, passing []string) {
	if b, ok := f.body.(versioned); ok && b.Version() != "" {
		facts = append(facts, b.Version())
	}
	if q := f.queue(); q != "" {
		if f.frame.width >= Narrow {
			q = "form " + q
		}
		facts = append(facts, q)
	}
	if n := f.in.Beside; n > 0 {
		passing = append(passing, fmt.Sprintf("%d more waiting", n))
	}
	if created := f.in.Ask.Created; !created.IsZero() {
		passing = append(passing, "asked "+f.when(created))
	}
	return facts, passing
}

// fitted returns who asks, and the facts to the right of it, for one line of some cells. Whole
// parts go as long as any may: the session, then what is passing.
func fitted(who, facts, passing []string, room int) (left, right string) {
	for {
		left, right = cells.Join(who...), cells.Join(slices.Concat(facts, passing)...)
		rest := room
		if right != "" {
			rest -= ansi.StringWidth(right) + cells.SidesGap
		}
		switch {
		case ansi.StringWidth(left) <= rest:
			return left, right
		case len(who) > 2:
			who = who[:2]
		case len(passing) > 0:
			passing = passing[:len(passing)-1]
		default:
			return cells.CutParts(left, rest), right
		}
	}
}

func (f *Form) queue() string {
	if f.in.QueueOf < 2 {
		return ""
	}
	return strconv.Itoa(f.in.QueueAt) + " of " + strconv.Itoa(f.in.QueueOf)
}

// noticeLead is the cells before the words of a notice.
const noticeLead = 3

// drawNotices draws what the person should know about the whole form. It uses few rows,
// so that the questions keep most of the screen.
func (f *Form) drawNotices(c *Canvas) {
	st := &f.look.Styles
	all := f.Notices()
	most := noticeRows(c.Height)
	spare := max(most-len(all), 0) // rows for what does not fit on one
	for i, n := range all[:min(len(all), most)] {
		style, rest, room := st.Info, "", c.Width-1-noticeLead
		if n.Tone == screen.ToneWarn {
			style = st.Warning
		}
		if more := len(all) - most; i == most-1 && more > 0 {
			rest = "+" + strconv.Itoa(more)
			room -= 2 + len(rest)
		}
		lines := n.lines(room, 1+spare)
		spare -= len(lines) - 1
		c.Add(cells.Sides(" "+style.Render("◆ "+lines[0]), st.Faint.Render(rest), c.Width-1))
		for _, line := range lines[1:] {
			c.Add(strings.Repeat(" ", noticeLead) + style.Render(line))
		}
	}
	if len(all) > 0 && (c.spacious || f.airless() && c.Height >= 24) {
		c.Add("")
	}
}

// airless reports whether the body leaves no row empty above its first one.
func (f *Form) airless() bool {
	b, ok := f.body.(airless)
	return ok && b.Airless()
}

// noticeRows returns how many notices there is room for.
func noticeRows(height int) int {
	switch {
	case height < roomyHeight:
		return 1
	case height < 24:
		return 2
	}
	return height / 8
}

// Notice is a line about the form as a whole. The most pressing notice comes first. The menu
// leads to everything that a cut line tells.
type Notice struct {
	Tone  screen.Tone
	Text  string
	Brief string // for narrow screens; empty for Text
	uncut bool   // Brief replaces Text on any screen where Text would be cut, because its end matters
	Whole bool   // it may take several rows if some are free
}

// lines lays the notice out in at most most rows.
func (n Notice) lines(width, most int) []string {
	rows := cells.Lines(n.Text, width)
	for most := width - 1; len(rows) > 1 && !strings.Contains(rows[len(rows)-1], " ") && most > width/2; most-- {
		if narrower := cells.Lines(n.Text, most); len(narrower) == len(rows) { // no word is left alone
			rows = narrower
		}
	}
	switch {
	case len(rows) == 1, n.Whole && len(rows) <= most && width >= Narrow:
		return rows
	case n.Brief != "" && (n.Whole || n.uncut || width < Narrow):
		return []string{cells.Cut(n.Brief, width)}
	}
	return []string{cells.Cut(n.Text, width)}
}

func (f *Form) Notices() []Notice {
	if f.in.ReadOnly {
		return append(append([]Notice{f.outcomeNotice()}, f.body.Notices()...), f.lateNotices()...)
	}
	var all []Notice
	if f.outbox.trouble != "" {
		all = append(all, Notice{Tone: screen.ToneWarn, Text: "Not saved yet, keep this form open: " + f.outbox.trouble, Brief: "Not saved yet: " + f.outbox.trouble, Whole: true})
	}
	if n, replaced := f.replacedNotice(); replaced {
		all = append(all, n)
	}
	if expired := f.in.Ask.Outcome.State == questions.Expired; expired && f.stage != over && !f.replaced && f.agent != agentGone {
		all = append(all, Notice{Tone: screen.ToneWarn, Text: "The time for this is over, but a late answer is welcome and kept.", Brief: "Late, but an answer is welcome.", uncut: true})
	}
	all = append(all, f.body.Notices()...)
	if back := f.keys.Label(keymap.Escape); !f.letters.message.Blank() && f.dialog == nil {
		all = append(all, Notice{Tone: screen.ToneCalm, Text: "Not sent: your message (" + back + " " + discussLetter + " goes on with it): " + f.letters.message.Line(), Brief: "Your message is not sent: " + back + " " + discussLetter})
	}
	if text := f.mistakes(); text != "" {
		all = append(all, Notice{Tone: screen.ToneCalm, Text: text, Brief: "Wrong settings: planb config check", Whole: true})
	}
	if !f.letters.note.Blank() && (f.dialog == nil || f.dialog.Input == nil) {
		all = append(all, Notice{Tone: screen.ToneCalm, Text: "Your note: " + f.letters.note.Line()})
	}
	return all
}

// mistakes names the first thing that is wrong with the person's settings, and the command
// that shows all.
func (f *Form) mistakes() string {
	switch list := f.in.Mistakes; len(list) {
	case 0:
		return ""
	case 1:
		return "In your settings: " + safe.New(list[0]).Line()
	default:
		return fmt.Sprintf("In your settings, beside %d more (planb config check): %s", len(list)-1, safe.New(list[0]).Line())
	}
}

// outcomeNotice tells the outcome of a form that can only be read.
func (f *Form) outcomeNotice() Notice {
	o := f.in.Ask.Outcome
	by := ""
	if o.By != "" {
		by = " by " + safe.New(o.By).Line()
	}
	stands := o.State.Standing(f.in.Ask.Spec.Plan != nil).Title() + f.at(o)
	text, t := stands+by, screen.ToneCalm
	switch o.State {
	case questions.Answered:
		if said, ok := wording.Review(o); ok {
			text = said.Verdict + f.at(o) + by
		}
	case questions.Discuss:
		text += ": " + o.Message.Line()
	case questions.Declined:
		if t = screen.ToneWarn; !o.Message.Blank() {
			text += ": " + o.Message.Line()
		}
	case questions.Withdrawn:
		text, t = stands+" by the agent", screen.ToneWarn
		switch person := wording.WithdrawnBy(o); {
		case f.in.Ask.Outdated():
			text = stands + ": " + wording.Outdated
		case o.Next != "":
			text = stands + ": the plan was submitted again"
		case person != "":
			text = stands + " by " + person
		}
	default:
		text, t = stands, screen.ToneWarn
	}
	if note := o.Reply.Note; !note.Blank() {
		text += " · note: " + note.Line()
	}
	return Notice{Tone: t, Text: text}
}

// lateNotices tell which replies came too late for a form that can only be read.
func (f *Form) lateNotices() []Notice {
	var all []Notice
	for _, late := range f.in.Ask.TooLate {
		all = append(all, Notice{Tone: screen.ToneCalm, Text: wording.TooLateLine(f.in.Ask, late, " ("+f.keys.Label(keymap.Menu)+" "+lateLetter+" shows it)")})
	}
	return all
}

// agentNotice tells that the agent stopped waiting, as long as that matters.
func (f *Form) agentNotice() (Notice, bool) {
	return Notice{
		Tone: screen.ToneWarn, Text: "The agent stopped waiting; your answer will be kept.", Brief: "The agent left; your answer is kept.",
	}, f.agent == agentGone && f.stage != over && !f.replaced && !f.in.ReadOnly
}

// replacedNotice says that another ask waits to take this one's place.
func (f *Form) replacedNotice() (Notice, bool) {
	return Notice{
		Tone: screen.ToneWarn, Text: "The plan was submitted again: that comes up when you finish writing this.",
		Brief: "Submitted again: finish, and it comes up",
	}, f.replaced
}
