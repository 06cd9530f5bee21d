package form

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/form/field"
	"planb/tui/form/rendering"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/prompt"
	"planb/tui/screen"
	"planb/tui/wording"
)

// questionnaire is the body of a form that asks questions.
type questionnaire struct {
	host    Host
	state   *formState
	memory  memory
	docs    *rendering.Cache
	scroll  scroll
	panel   panel
	summary *summary // the page with all answers, in place of the questions; nil for none
	aside   map[aside]drawnAside
	folding []bool // by tab
}

// scroll is the visible part of the questions. Drawing keeps it in its limits.
type scroll struct {
	tab   int   // the tab that body belongs to
	body  int   // first visible row of the questions
	free  bool  // the person scrolled: the focus may be off the screen until the next key
	above int   // rows of the question with the focus that are above body
	intro reach // the introduction
	// description is how far the description of a question is moved sideways; described is
	// that question, the one with the focus.
	description markdown.Pan
	described   int
}

func newQuestionnaire(h Host) Body {
	in := h.Input()
	return &questionnaire{
		host:    h,
		state:   newFormState(in.Ask.Spec, in.ReadOnly),
		docs:    rendering.New(h.Wrap),
		panel:   panel{Split: splitOf(in.Panel)},
		aside:   map[aside]drawnAside{},
		folding: foldingTabs(in.Ask.Spec, in.Ask.Spec.Tabs()),
	}
}

func (q *questionnaire) Load(entry questions.Entry) {
	q.state.load(entry)
	in := q.host.Input()
	if i := q.state.index(in.Question); i >= 0 {
		q.state.focusQuestion(i, field.Straight)
		in.Question = "" // it counts only when the form opens
	}
	q.memory.offered = in.EarlierForm != nil && !in.ReadOnly && len(q.openBefore()) > 0
	q.recallPrior()
	q.recall(in.EarlierAnswers)
}

func (q *questionnaire) Save() (map[string]questions.Field, string) { return q.state.save() }
func (q *questionnaire) Changes() int                               { return q.state.changes }

func (q *questionnaire) Resize() {
	width, _ := q.host.Size()
	q.docs.Resize(width)
}

func (q *questionnaire) Retheme() { q.docs.Reset(q.host.Look().Markdown) }

func (q *questionnaire) Update(msg tea.Msg) tea.Cmd {
	q.docs.Update(msg)
	if msg, ok := msg.(EarlierFound); ok && msg.AskID == q.host.Input().Ask.ID {
		q.memory.late = msg.Answers
	}
	return nil
}

func (q *questionnaire) Work() tea.Cmd { return q.docs.Work() }

func (q *questionnaire) Press(msg tea.KeyPressMsg) tea.Cmd {
	q.scroll.free = false
	if q.summary != nil {
		return q.doSummary(q.host.Keys().Read(msg, false))
	}
	return q.do(q.read(msg))
}

// read returns the meaning of a key. Where a letter begins a text, only signs, digits and keys
// without a letter are commands.
func (q *questionnaire) read(msg tea.KeyPressMsg) keymap.Press {
	keys, letter := q.host.Keys(), strings.ContainsFunc(msg.Text, unicode.IsLetter)
	if q.Text() != nil || letter && q.state.invitesText() {
		return keys.Read(msg, true)
	}
	p := keys.Read(msg, false)
	if p.Act == keymap.None && q.state.invitesText() {
		return keys.Read(msg, true)
	}
	return p
}

func (q *questionnaire) Paste(text string) {
	q.state.act(keymap.Press{Act: keymap.Insert, Text: text})
}

func (q *questionnaire) Wheel(msg tea.MouseWheelMsg, rows int) {
	switch {
	case rows == 0 && msg.Button == tea.MouseWheelRight:
		q.pans(markdown.PanCells)
	case rows == 0:
		q.pans(-markdown.PanCells)
	case q.summary != nil:
		q.summary.top += rows
		q.summary.free = true
	case q.panel.over(msg.X, msg.Y):
		q.panel.top += rows
	case q.state.current() == nil:
		q.scroll.intro.top += rows
	default:
		q.scroll.body += rows
		q.scroll.free = true
	}
}

func (q *questionnaire) Text() *editor.Editor {
	if q.summary != nil {
		return nil
	}
	return q.state.text()
}

func (q *questionnaire) Lends() (edit *editor.Editor, about []safe.Text) {
	edit = q.state.text()
	e := q.state.focused()
	if edit == nil || e == nil {
		return edit, nil
	}
	about = []safe.Text{e.q.Label, e.q.Description}
	if edit == e.note {
		about[0] = safe.New("Your note on: " + e.q.Label.Raw())
	}
	if c, ok := e.field.(field.Illustrated); ok && c.IsFilter(edit) {
		return nil, nil
	}
	return edit, about
}

func (q *questionnaire) Rewritten() {
	for _, e := range q.state.controls {
		e.version++
	}
	q.state.touch()
}

func (q *questionnaire) Measure() int {
	if q.illustrated() {
		return WideWidth
	}
	return ReadWidth
}

func (q *questionnaire) Covers() Cover {
	if q.summary != nil && !q.state.readOnly { // a settled form's answers need what settled it
		return coversNotices
	}
	return CoversBody
}

func (q *questionnaire) DrawHead(c *Canvas) bool {
	if q.summary != nil {
		q.drawSummaryHead(c)
		return true
	}
	return q.drawTabs(c)
}

func (q *questionnaire) Draw(c *Canvas, rows int) (more string) {
	q.docs.Begin()
	if q.summary != nil {
		return q.drawSummaryList(c, max(1, rows))
	}
	return q.drawBody(c, rows)
}

func (q *questionnaire) Help() (name string, keys []keymap.HelpGroup) {
	return "Form", keymap.HelpPage(q.host.Keys(), keymap.FormGroups())
}

func (q *questionnaire) Complete() bool { return q.state.complete() }

func (q *questionnaire) ToGround() { q.summary = nil }

// Updated shows earlier answers that came late, as soon as they move nothing that the
// person looks at: before the first key, or when the focus goes to another question.
func (q *questionnaire) Updated() {
	m, focused := &q.memory, q.state.focused()
	if m.late != nil && (!q.host.begun() || focused != m.focused) {
		q.recall(m.late)
		m.late = nil
	}
	m.focused = focused
}

// Menu returns the items that a form of questions adds to the menu.
func (q *questionnaire) Menu() Menu {
	copies := prompt.Item{Letter: "y", Label: "Copy the answers", Does: q.CopyAll}
	if q.state.readOnly {
		return Menu{Keep: "Keep reading", Items: []prompt.Item{{Letter: summaryLetter, Label: q.summaryItem(), Does: q.summarise}, copies}}
	}
	items := append(q.earlierItems(),
		prompt.Item{Letter: summaryLetter, Label: q.summaryItem(), Does: q.summarise, Apart: true},
		prompt.Item{Letter: "N", Label: "A note on the whole form", Does: q.host.showNote})
	if q.Text() != nil {
		items = append(items,
			prompt.Item{Letter: "e", Label: "Edit this text in your editor", Does: q.host.Edit},
			prompt.Item{Letter: "u", Label: "Undo in this text", Does: q.inText(keymap.UndoText)},
			prompt.Item{Letter: "U", Label: "Redo in this text", Does: q.inText(keymap.RedoText)})
	}
	return Menu{Keep: "Keep answering", Submit: "Submit", Items: append(items, copies,
		prompt.Item{Letter: "z", Label: "Zoom illustration or text", Does: q.showZoom})}
}

// summaryLetter is the menu's key for the page with all answers.
const summaryLetter = "r"

// summaryItem is the menu's label for the page with all answers.
func (q *questionnaire) summaryItem() string {
	if q.summary != nil {
		return "Back to the questions"
	}
	return "Review all answers"
}

// inText makes a menu item that does an action in the text with the focus.
func (q *questionnaire) inText(act keymap.Action) func() tea.Cmd {
	return func() tea.Cmd {
		q.host.CloseDialog()
		q.state.act(keymap.Press{Act: act})
		return nil
	}
}

func (q *questionnaire) showZoom() tea.Cmd {
	q.host.CloseDialog()
	if q.summary != nil {
		q.zoomSummary(q.summary.here())
		return nil
	}
	q.zoom()
	return nil
}

// Submit sends the answers. If what is being typed is no answer, it sends nothing, and the question
// says why. If a required question is open, it goes to that question instead. If only optional
// questions are open, it first shows the page with all answers, from which a second press sends.
func (q *questionnaire) Submit() tea.Cmd {
	if !q.state.leaveText() {
		return nil
	}
	switch q.state.trySubmit() {
	case submitMissed:
		q.summary = nil
		q.host.Say(screen.ToneBad, wording.AnswersMissing)
		return nil
	case submitOpen:
		if q.summary == nil {
			q.summary = newSummary(q.state, !q.host.note().Blank(), true)
			return nil
		}
	}
	return q.host.Settle(questions.Outcome{State: questions.Answered, Reply: q.host.reply()})
}

// copyFocused copies the text of what has the focus.
func (q *questionnaire) copyFocused() tea.Cmd {
	text := q.state.spec.Title.Raw()
	switch e := q.state.focused(); {
	case e != nil:
		text = e.copyText()
	case q.state.zone == inBody:
		text = q.state.spec.Intro.Raw()
	}
	return q.host.Copy(text)
}

// CopyAll copies all answers as JSON.
func (q *questionnaire) CopyAll() tea.Cmd {
	if len(q.state.answers().reply.Answers) == 0 {
		q.host.Say(screen.ToneCalm, "There is no answer to copy.")
		return nil
	}
	return q.host.Copy(string(q.answersJSON()))
}

func (q *questionnaire) answersJSON() []byte {
	return q.state.spec.AnswersJSON(q.state.answers().reply)
}

// Notices say where the answers come from.
func (q *questionnaire) Notices() []Notice {
	var all []Notice
	if q.host.Input().Carried && !q.state.readOnly {
		all = append(all, Notice{Tone: screen.ToneCalm, Text: "These are your answers from before your reply. Check them, then submit.", Brief: "Your answers from before: check them", uncut: true})
	}
	if q.host.Input().Begun && !q.state.readOnly {
		all = append(all, Notice{Tone: screen.ToneCalm, Text: "You began this in an earlier form, which was withdrawn. Check it, then submit.", Brief: "Begun in an earlier form: check it", uncut: true})
	}
	if q.memory.offered {
		key := q.host.Keys().Label(keymap.Prior)
		if e := q.state.focused(); e != nil {
			key = q.earlierKey(e)
		}
		take := "ress " + key + " to take "
		all = append(all, Notice{
			Text:  "You answered this " + q.host.When(q.host.Input().EarlierForm.Outcome.At) + ". P" + take + "those answers over.",
			Brief: "P" + take + "earlier answers over",
			uncut: true,
		})
	}
	return all
}

// hit makes a rectangle of the canvas clickable.
func (q *questionnaire) hit(c *Canvas, x, y, width, height int, click func(x, y int) tea.Cmd) {
	c.Hit(x, y, width, height, func(x, y int) tea.Cmd {
		q.scroll.free = false
		q.state.jumped = false
		return click(x, y)
	})
}
