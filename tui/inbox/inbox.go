package inbox

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/ask"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Screen is the list of what waits and of all sessions.
type Screen struct {
	deps   Deps
	state  listState
	bell   *screen.Bell
	ringer ringer
	page   screen.Page
	keys   []keymap.Binding
	typing []keymap.Binding
	typed  *editor.Query // the filter

	asked    *asked // a question about one row; nil for none
	openForm string // the ask whose form was opened over the list
	others   int    // forms that wait beside it, as it was told last

	reads  screen.Throttle
	deep   bool // the next read goes through all that is listed
	status string

	peeks *screen.Peeks[peek] // what the preview shows

	undos     []undo    // what can be undone, the last at the end
	here      bool      // the next read shows what the person did here
	unsettled int       // counts the changes of the row under the cursor; 0: it stood long enough
	wakeAt    time.Time // the end of the next snooze; zero if none is waited for
}

func New(d Deps) *Screen {
	l := &Screen{deps: d, typed: editor.NewQuery(maxFilter), bell: screen.NewBell(d.Store), keys: d.Keys.On(keymap.OfInbox, keymap.Inbox(d.Answers)), typing: d.Keys.On(keymap.OfFilter, keymap.Filtering())}
	l.ringer = ringer{rings: d.Rings, announce: d.Announce, notify: desktopNotifier(d.Environ)}
	l.peeks = screen.NewPeeks(d.After, l.toPeek)
	l.state.listed, l.state.follows = d.Answers, true
	return l
}

// Init reads the first page and listens for changes.
func (l *Screen) Init() tea.Cmd {
	return tea.Batch(l.read(), l.bell.Start(), l.staleSoon())
}

// Resize lays the list out.
func (l *Screen) Resize(width, height int) {
	l.page.Width, l.page.Height = width, height
	l.layOut()
	l.peeks.Forget() // its texts are laid out for another width
}

func (l *Screen) layOut() {
	split := l.split()
	l.state.setTall(!split.Shown())
	l.state.list.SetLines(split.ListLines())
}

// Retheme takes the look.
func (l *Screen) Retheme(look *screen.Look) {
	l.page.Look = look
	l.peeks.Forget() // its texts have the colours before
}

// Update handles keys and the mouse, what commands found out, and the end of a form.
func (l *Screen) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(l.handle(msg), l.peeks.Follow())
}

func (l *Screen) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if l.state.filtering && l.asked == nil {
			return screen.EscapeFirst(msg, l.press, l.typing...)
		}
		return screen.EscapeFirst(msg, l.press)
	case tea.PasteMsg:
		if l.state.filtering && l.asked == nil {
			l.filter(keymap.None, msg.Content)
		}
		return l.more()
	case tea.MouseClickMsg:
		return l.click(msg.Mouse())
	case tea.MouseWheelMsg:
		if l.asked == nil {
			l.state.list.Move(screen.WheelSteps(msg.Mouse()))
			l.state.follows, l.state.toEnd = false, false
		}
		return l.more()
	case ask.Ended:
		if msg.Receipt != "" { // it has ended; the next read says the same
			l.state.drop(l.openForm)
			l.layOut()
		}
		l.status, l.openForm, l.here = msg.Status(), "", true
		return l.read()
	case screen.ThemeKept:
		l.status = msg.Notice
	case screen.PeekDue:
		return l.peeks.Heard(msg)
	case screen.Hung, screen.Rang:
		return l.bell.Heard(msg, l.read)
	case interface{ owner() *Screen }:
		if msg.owner() == l {
			return l.heardOwn(msg)
		}
	}
	return nil
}

// heardOwn handles the results of the own commands of the list.
func (l *Screen) heardOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case allRead:
		return l.applyRead(msg)
	case moreRead:
		return l.applyMore(msg)
	case rested:
		return l.rested()
	case stale:
		l.deep = true
		return tea.Batch(l.read(), l.staleSoon())
	case cursorSettled:
		if msg.change == l.unsettled {
			l.unsettled = 0
		}
	case snoozeOver:
		return l.wakes(msg)
	case actionDone:
		return l.done(msg)
	case sessionArchived:
		return l.archived(msg)
	case deletionLooked:
		return l.looked(msg)
	case ringTurn:
		return l.ringTurn()
	case ringUntouched:
		return l.ringFor(msg.ids)
	case ringFailed:
		l.status = "Your terminal multiplexer showed no message: " + wording.Sentence(msg.err)
	}
	return nil
}

func (l *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	l.status = ""
	if l.asked != nil {
		return l.answerPrompt(l.asked.Press(msg))
	}
	if l.state.filtering {
		return tea.Batch(l.typeFilter(msg), l.more())
	}
	return tea.Batch(l.act(keymap.ActionOf(l.keys, msg)), l.more())
}

// read reads everything anew, one read at a time.
func (l *Screen) read() tea.Cmd {
	if !l.reads.Begin() {
		return nil
	}
	return l.readAll()
}

// more reads the next page if it is needed.
func (l *Screen) more() tea.Cmd {
	if !l.state.wantsMore() || !l.reads.BeginMore() {
		return nil
	}
	return l.readMore()
}

func (l *Screen) applyRead(msg allRead) tea.Cmd {
	l.setProblem(msg.err)
	moved := false
	if msg.err == nil || !l.state.loaded || len(msg.sessions) > 0 {
		moved = l.state.replace(msg.waiting, msg.needs, msg.sessions, msg.next, l.deps.Now())
	}
	l.checkGoing()
	l.reads.Rest()
	next := []tea.Cmd{l.deps.After(screen.RefreshPause, rested{l}), l.afterRead()}
	if moved && !l.here {
		next = append(next, l.unsettle())
	}
	l.here = false
	return tea.Batch(append(next, l.peeks.Outdate(), l.checkPrompt(), l.tellOthers(), l.noteArrivals(), l.wakeSoon())...)
}

func (l *Screen) rested() tea.Cmd {
	if l.reads.Rested() {
		return l.read()
	}
	return nil
}

// unsettle keeps a key from acting on the row under the cursor until the person could see
// that another row stands there now.
func (l *Screen) unsettle() tea.Cmd {
	l.unsettled++
	return l.deps.After(screen.Quiet, cursorSettled{l, l.unsettled})
}

func (l *Screen) applyMore(msg moreRead) tea.Cmd {
	l.setProblem(msg.err)
	if msg.err == nil {
		l.state.extend(msg.sessions, msg.next)
	} else {
		l.state.next = "" // it would fail again at once; the next change reads anew
	}
	return l.afterRead()
}

func (l *Screen) afterRead() tea.Cmd {
	l.layOut()
	if l.reads.Ended() {
		return l.read()
	}
	return l.more()
}

func (l *Screen) setProblem(err error) {
	l.state.problem = ""
	if err != nil {
		l.state.problem = safe.New(err.Error()).Line()
	}
}

// act does what a key means outside the filter.
func (l *Screen) act(act keymap.Action) tea.Cmd {
	l.state.toEnd = act == keymap.End
	if l.state.list.Act(act) {
		l.state.follows = act == keymap.Home
		l.unsettled = 0 // the row under the cursor is the person's choice
		return nil
	}
	if l.unsettled > 0 && slices.Contains([]keymap.Action{keymap.Enter, keymap.Snooze, keymap.Withdraw, keymap.Archive, keymap.Delete}, act) {
		l.status = "The list has just changed. Look again, then press the key once more."
		return nil
	}
	switch act {
	case keymap.Enter:
		return l.open()
	case keymap.Snooze, keymap.Withdraw:
		return l.ask(act)
	case keymap.Archive:
		return l.archive()
	case keymap.Delete:
		return l.remove()
	case keymap.Undo:
		return l.undo()
	case keymap.Filter:
		l.state.filtering = true
		l.layOut()
	case keymap.Find:
		return screen.Send(screen.Push{Screen: retro.NewSearch(l.deps.Past()), Over: l})
	case keymap.Escape:
		if l.state.filter.text == "" {
			return screen.Send(screen.Close{Screen: l})
		}
		l.filter(keymap.DeleteToStart, "")
	default:
		return screen.ActCommon(act, l, l.name(), l.keys)
	}
	return nil
}

// typeFilter does what a key means while the filter is typed.
func (l *Screen) typeFilter(msg tea.KeyPressMsg) tea.Cmd {
	act := keymap.ActionOf(l.typing, msg)
	if l.state.list.Act(act) {
		return nil
	}
	switch act {
	case keymap.Enter:
		l.state.filtering = false
		l.layOut()
		return l.open()
	case keymap.Escape:
		l.state.filtering = false
		l.filter(keymap.DeleteToStart, "")
		l.layOut()
	case keymap.Quit:
		return screen.Send(screen.Quit{})
	case keymap.Backspace:
		if l.typed.Text() == "" {
			l.state.filtering = false
			l.layOut()
			return nil
		}
		l.filter(act, "")
	default:
		l.filter(act, msg.Text)
	}
	return nil
}

// maxFilter is the most bytes of a filter, so that a paste does not make every match slow.
const maxFilter = 200

// filter changes the filter and narrows the list by it.
func (l *Screen) filter(act keymap.Action, text string) {
	if l.typed.Type(act, text) {
		l.state.setFilter(l.typed.Text(), l.deps.Now())
		l.layOut()
	}
}

// open opens the form or the session under the cursor.
func (l *Screen) open() tea.Cmd {
	row, ok := l.state.row()
	switch {
	case !ok:
		return nil
	case row.waiting:
		ask := l.state.waiting[row.index].Ask
		l.openForm, l.others = ask.ID, l.waitingBeside(ask.ID)
		return screen.Send(screen.Push{Screen: l.deps.OpenForm(retro.Form{Ask: ask, Others: l.others}), Over: l})
	case row.need:
		return screen.Send(screen.Push{Screen: l.state.needs[row.index].open(), Over: l})
	}
	return screen.Send(screen.Push{Screen: retro.NewSession(l.deps.Past(), l.state.sessions[row.index]), Over: l})
}

// click puts the cursor on a row. A click on the row under the cursor opens it.
func (l *Screen) click(mouse tea.Mouse) tea.Cmd {
	if l.asked != nil {
		return l.answerPrompt(l.asked.Click(l.page, mouse, ""))
	}
	if mouse.X >= l.split().ListWidth() {
		return nil
	}
	hit, again := l.state.list.Click(mouse, screen.HeaderLines+l.aboveList())
	switch {
	case again:
		return l.act(keymap.Enter)
	case !hit:
		return nil
	}
	l.state.follows, l.state.toEnd = false, false
	return l.more()
}

// Close stops listening, and deletes the sessions that were let go.
func (l *Screen) Close(ctx context.Context) ([]string, error) {
	l.bell.Stop()
	return l.deps.deleteGoing(ctx, l.undos, l.state.going)
}
