package tui

import (
	"context"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
)

// sessionsScreen is the list of what waits and of all sessions.
type sessionsScreen struct {
	browser browser
	state   sessionsState
	bell    *bell
	page    page
	columns columns
	keys    []boundKey
	typing  []boundKey

	reading bool // a read is under way
	again   bool // and another is wanted after it
	status  string
}

func newSessionsScreen(b browser) *sessionsScreen {
	l := &sessionsScreen{browser: b, bell: newBell(b.store), keys: sessionsKeys(), typing: filterKeys()}
	l.state.listed, l.state.follows = b.answers, true
	return l
}

// Init reads the first page and listens for changes.
func (l *sessionsScreen) Init() tea.Cmd {
	return tea.Batch(l.read(), l.bell.start(), l.staleSoon())
}

// Resize lays the list out.
func (l *sessionsScreen) Resize(width, height int) {
	l.page.width, l.page.height = width, height
	l.layOut()
}

func (l *sessionsScreen) layOut() {
	l.state.setNarrow(l.page.width < wideRows)
	l.state.list.setLines(l.page.bodyLines() - l.aboveList())
	l.measure()
}

// Retheme takes the look.
func (l *sessionsScreen) Retheme(look *look) { l.page.look = look }

// Update moves, filters, opens, and takes what was read.
func (l *sessionsScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return escapeFirst(msg, l.press)
	case tea.PasteMsg:
		if l.state.filtering {
			l.filter(l.state.filter + safe.New(msg.Content).Line())
		}
		return l.more()
	case tea.MouseClickMsg:
		return l.click(msg.Mouse())
	case tea.MouseWheelMsg:
		l.state.list.move(wheelSteps(msg.Mouse()))
		l.state.follows = false
		return l.more()
	case sessionsRead:
		return l.took(msg)
	case sessionsMore:
		return l.tookMore(msg)
	case sessionsStale:
		if msg.list == l {
			return tea.Batch(l.read(), l.staleSoon())
		}
	case askEnded:
		l.status = askStatus(msg)
		return l.read()
	case bellHung, bellRang:
		return l.bell.heard(msg, l.read)
	}
	return nil
}

func (l *sessionsScreen) press(msg tea.KeyPressMsg) tea.Cmd {
	l.status = ""
	if l.state.filtering {
		return tea.Batch(l.typeFilter(msg), l.more())
	}
	return tea.Batch(l.act(actionOf(l.keys, msg)), l.more())
}

// read reads everything anew, one read at a time.
func (l *sessionsScreen) read() tea.Cmd {
	if l.reading {
		l.again = true
		return nil
	}
	l.reading = true
	return l.readAll()
}

// more reads the next page if it is wanted.
func (l *sessionsScreen) more() tea.Cmd {
	if l.reading || !l.state.wantsMore() {
		return nil
	}
	l.reading = true
	return l.readMore()
}

func (l *sessionsScreen) took(msg sessionsRead) tea.Cmd {
	if msg.list != l {
		return nil
	}
	l.setProblem(msg.err)
	if msg.err == nil || !l.state.loaded || len(msg.sessions) > 0 {
		l.state.replace(msg.waiting, msg.sessions, msg.next)
	}
	return l.afterRead()
}

func (l *sessionsScreen) tookMore(msg sessionsMore) tea.Cmd {
	if msg.list != l {
		return nil
	}
	l.setProblem(msg.err)
	if msg.err == nil {
		l.state.extend(msg.sessions, msg.next)
	} else {
		l.state.next = "" // it would fail again at once; the next change reads anew
	}
	return l.afterRead()
}

func (l *sessionsScreen) afterRead() tea.Cmd {
	l.reading = false
	l.layOut()
	if l.again {
		l.again = false
		return l.read()
	}
	return l.more()
}

func (l *sessionsScreen) setProblem(err error) {
	l.state.problem = ""
	if err != nil {
		l.state.problem = safe.New(err.Error()).Line()
	}
}

// act does what a key means outside the filter.
func (l *sessionsScreen) act(act action) tea.Cmd {
	if moveList(&l.state.list, act) {
		l.state.follows = act == actHome
		return nil
	}
	switch act {
	case actEnter:
		return l.open()
	case actFilter:
		l.state.filtering = true
		l.layOut()
	case actEscape:
		if l.state.filter == "" {
			return send(closeScreen{l})
		}
		l.filter("")
	case actTheme:
		return send(switchTheme{})
	case actHelp:
		return send(pushScreen{newKeysScreen("Sessions", l.keys), l})
	case actQuit:
		return send(quitProgram{})
	}
	return nil
}

// typeFilter does what a key means while the filter is typed.
func (l *sessionsScreen) typeFilter(msg tea.KeyPressMsg) tea.Cmd {
	act := actionOf(l.typing, msg)
	if moveList(&l.state.list, act) {
		return nil
	}
	switch act {
	case actEnter:
		l.state.filtering = false
		l.layOut()
		return l.open()
	case actBackspace:
		if l.state.filter == "" {
			l.state.filtering = false
			l.layOut()
			return nil
		}
		l.filter(l.state.filter[:lastBoundary(l.state.filter)])
	case actDeleteToStart:
		l.filter("")
	case actEscape:
		l.state.filtering = false
		l.filter("")
	case actQuit:
		return send(quitProgram{})
	case actNone:
		if msg.Text != "" {
			l.filter(l.state.filter + safe.New(msg.Text).Line())
		}
	}
	return nil
}

// maxFilter bounds a filter: a paste must not make every match slow.
const maxFilter = 200

func (l *sessionsScreen) filter(text string) {
	if len(text) > maxFilter {
		text = text[:maxFilter]
		for !utf8.ValidString(text) {
			text = text[:len(text)-1]
		}
	}
	l.state.setFilter(text)
	l.layOut()
}

// open opens what is under the cursor.
func (l *sessionsScreen) open() tea.Cmd {
	row, ok := l.state.row()
	switch {
	case !ok:
		return nil
	case row.waiting:
		return send(pushScreen{l.browser.form(l.state.waiting[row.index].ask), l})
	}
	return send(pushScreen{newSessionScreen(l.browser, l.state.sessions[row.index]), l})
}

// click puts the cursor on a row; a click on the row that has it opens it.
func (l *sessionsScreen) click(mouse tea.Mouse) tea.Cmd {
	row, ok := l.state.list.rowAt(mouse.Y - pageHeaderLines - l.aboveList())
	if !ok || mouse.Button != tea.MouseLeft {
		return nil
	}
	if row == l.state.list.cursor {
		return l.open()
	}
	l.state.list.moveTo(row)
	l.state.follows = false
	return l.more()
}

// close stops listening.
func (l *sessionsScreen) close(context.Context) ([]string, error) {
	l.bell.stop()
	return nil, nil
}

// moveList does the actions that move a list's cursor.
func moveList(list *pickList, act action) bool {
	switch act {
	case actUp:
		list.move(-1)
	case actDown:
		list.move(1)
	case actPageUp:
		list.page(-1)
	case actPageDown:
		list.page(1)
	case actHome:
		list.moveTo(0)
	case actEnd:
		list.moveTo(len(list.heights) - 1)
	default:
		return false
	}
	return true
}

// wheelSteps is how far a turn of the wheel moves.
func wheelSteps(mouse tea.Mouse) int {
	switch mouse.Button {
	case tea.MouseWheelUp:
		return -1
	case tea.MouseWheelDown:
		return 1
	}
	return 0
}

// askStatus is the line that stays after a form was left.
func askStatus(msg askEnded) string {
	switch {
	case msg.failure != nil:
		return safe.New(msg.failure.Error()).Line()
	case msg.receipt != "":
		return msg.receipt
	case len(msg.lost) > 0:
		return firstLine(msg.lost[0])
	case len(msg.parting) > 0:
		return firstLine(msg.parting[len(msg.parting)-1])
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
