package compare

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/editor/external"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Store is what comparing reads of the store.
type Store interface {
	Plans(ctx context.Context, session string) ([]store.Plan, error)
	PlanText(ctx context.Context, session string, number int) (safe.Text, error)
	PlanAsBefore(ctx context.Context, session string, older, newer int) (safe.Text, error)
}

// Deps is what a comparison is given.
type Deps struct {
	Store   Store
	Keys    keymap.Keys
	Environ []string // for the person's pager and editor
	Now     func() time.Time
	// Cited reads what citations show, in versions of a session's plan by their numbers.
	Cited func(ctx context.Context, session string, texts map[int]safe.Text) markdown.Cited
}

// Screen shows what changed between two versions of a session's plan.
type Screen struct {
	deps         Deps
	session      store.Session
	older, newer int
	// What is compared, if it is not two versions of the session; else empty.
	title, named, about string

	versions []store.Plan // all of the session, without their texts, oldest first
	diff     *diff.Diff   // nil until both texts were read
	cited    markdown.Cited
	stat     diff.Stat
	problem  string // why there is no diff
	rows     sourceRows
	view     viewport

	reading  bool // the rendered plan is shown, not its Markdown
	asRead   readRows
	readView viewport
	left     int // cells panned to the right

	share    *external.Sharer
	page     screen.Page
	bindings []keymap.Binding
	status   string
}

// versionsRead is what changed between two versions, or why that is not known.
type versionsRead struct {
	screen       *Screen
	older, newer int
	versions     []store.Plan
	diff         *diff.Diff
	outlines     [2][]plans.Section
	cited        markdown.Cited // in both texts, because words that differ would be told as a change
	err          error
}

// New compares two versions of a session's plan. Text that only the newer one has counts as
// added.
func New(deps Deps, session store.Session, older, newer int) *Screen {
	d := &Screen{deps: deps, session: session, older: older, newer: newer, bindings: deps.Keys.On(keymap.OfDiff, keymap.Diff())}
	d.share = external.NewSharer(deps.Environ, d.bindings, &d.status)
	return d
}

// Since compares a version with the one before it of the same plan. The list of versions
// begins with the oldest. Without a version before it, Since returns nil and a sentence that
// says so.
func Since(deps Deps, session store.Session, versions []store.Plan, number int) (changes *Screen, none string) {
	before, _ := store.PlanBefore(versions, number)
	switch {
	case before > 0:
		return New(deps, session, before, number), ""
	case len(versions) == 0:
		return nil, "There is no version of a plan to compare."
	case len(versions) == 1:
		return nil, "There is no other version to compare with."
	}
	return nil, "This is the first version; see what changed from a later one."
}

// Init reads and compares the versions.
func (d *Screen) Init() tea.Cmd { return d.read() }

// Resize lays the diff out. With the first size it goes to the first change.
func (d *Screen) Resize(width, height int) {
	first := d.page.Unsized()
	d.page.Width, d.page.Height = width, height
	d.layOut()
	if first {
		d.view.goTo(0)
	}
}

// Retheme takes the look.
func (d *Screen) Retheme(look *screen.Look) {
	d.page.Look = look
	d.asRead.restart() // colours are in its lines
}

// Update handles keys and the mouse, and what was read and rendered.
func (d *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, func(key tea.KeyPressMsg) tea.Cmd {
			d.status = ""
			return d.Act(keymap.ActionOf(d.bindings, key))
		})
	case tea.MouseWheelMsg:
		d.showing().scroll(screen.WheelLines * screen.WheelSteps(msg.Mouse()))
	case tea.MouseClickMsg:
		d.Click(msg.Mouse())
	case versionsRead:
		if msg.screen == d && msg.older == d.older && msg.newer == d.newer {
			return d.applyRead(msg)
		}
	case readRendered:
		return d.addRendered(msg)
	case screen.ThemeKept:
		d.status = msg.Notice
	case screen.Relaid:
		return d.renderRead()
	case versionChosen:
		if msg.screen == d {
			return d.compare(msg.number)
		}
	case external.Sharing:
		return d.share.Heard(msg)
	}
	return nil
}

func (d *Screen) Act(act keymap.Action) tea.Cmd {
	if d.diff != nil {
		if cmd, ok := d.actOnChanges(act); ok {
			return cmd
		}
	}
	if act == keymap.Compare { // even if this version cannot be read
		return d.choose()
	}
	return screen.ActCommon(act, d, Name, d.bindings)
}

// actOnChanges handles the keys that need a diff, and reports whether the key is one of
// them.
func (d *Screen) actOnChanges(act keymap.Action) (cmd tea.Cmd, ok bool) {
	if d.move(act) {
		return nil, true
	}
	switch act {
	case keymap.Enter:
		d.openNear()
	case keymap.Unfold:
		d.openAll()
	case keymap.AsRead:
		return d.switchView(), true
	case keymap.Copy, keymap.Pager, keymap.Edit:
		return d.sharePatch(act), true
	default:
		return nil, false
	}
	return nil, true
}

// move handles the keys that move the view, and reports whether the key is one of them.
func (d *Screen) move(act keymap.Action) bool {
	view := d.showing()
	page := max(view.height-2, 1)
	switch act {
	case keymap.ScrollUp:
		view.scroll(-1)
	case keymap.ScrollDown:
		view.scroll(1)
	case keymap.PageUp:
		view.scroll(-page)
	case keymap.PageDown:
		view.scroll(page)
	case keymap.Home:
		view.toStart()
	case keymap.End:
		view.toEnd()
	case keymap.NextChange:
		d.turn(1, "This is the last change.")
	case keymap.PrevChange:
		d.turn(-1, "This is the first change.")
	case keymap.PanLeft:
		d.pan(-markdown.PanCells)
	case keymap.PanRight:
		d.pan(markdown.PanCells)
	default:
		return false
	}
	return true
}

// pan pans by cells to the right, or to the left if cells is negative, no further than the end of
// the widest line. pan(0) pans back where a wider window has room for that end.
func (d *Screen) pan(cells int) {
	d.left = max(min(d.left+cells, d.widest()-d.panRoom()), 0)
}

// widest is the width in cells of the widest rendered line.
func (d *Screen) widest() int {
	cells := 0
	for _, units := range [][]readUnit{d.asRead.moved, d.asRead.stretches} {
		for _, unit := range units {
			cells = max(cells, unit.doc.Width)
		}
	}
	return cells
}

// turn goes to the next change in a direction; none is the sentence if there is no other.
func (d *Screen) turn(by int, none string) {
	switch view := d.showing(); {
	case len(view.changes) == 0:
	case !view.goTo(view.at + by):
		view.goTo(view.at)
		d.status = none
	}
}

// openNear opens the fold at the current change.
func (d *Screen) openNear() {
	if row, ok := d.nearFold(); ok {
		d.open(row)
		return
	}
	d.status = "Nothing is folded here."
}

func (d *Screen) open(row int) {
	view := d.showing()
	top := view.top
	if d.reading {
		d.asRead.openFold(row)
		d.setReadRows()
	} else {
		d.rows.openFold(row)
		d.layOut()
	}
	view.show(top) // the fold opens downwards
}

// openAll unfolds everything, or folds it again.
func (d *Screen) openAll() {
	if d.reading {
		d.asRead.openAll()
		d.setReadRows()
		return
	}
	d.rows.openAll()
	d.layOut()
}

func (d *Screen) Click(mouse tea.Mouse) {
	view := d.showing()
	first := screen.HeaderLines + d.above()
	line := view.top + mouse.Y - first
	if d.diff == nil || mouse.Button != tea.MouseLeft || mouse.Y < first || mouse.Y >= first+view.height || line >= view.lines() {
		return
	}
	if row, _ := view.rowAt(line); d.isFold(row) {
		d.open(row)
	}
}

// Close removes a copy that a pager or an editor left.
func (d *Screen) Close(context.Context) ([]string, error) { return nil, d.share.Close() }

// compare compares the newer version with another one.
func (d *Screen) compare(number int) tea.Cmd {
	kept := d.newer
	d.older, d.newer = min(number, kept), max(number, kept)
	d.clear()
	return d.read()
}

// clear forgets what was compared, and what is still being rendered of it.
func (d *Screen) clear() {
	d.diff, d.problem, d.left = nil, "", 0
	d.view, d.readView = viewport{height: d.view.height}, viewport{}
	d.asRead = readRows{round: d.asRead.round + 1}
}

func (d *Screen) read() tea.Cmd {
	deps, id := d.deps, d.session.ID
	msg := versionsRead{screen: d, older: d.older, newer: d.newer}
	return screen.Within(func(ctx context.Context) tea.Msg {
		// Without the list only the titles are missing.
		msg.versions, _ = deps.Store.Plans(ctx, id)
		var texts [2]string
		for i, number := range []int{msg.older, msg.newer} {
			text, err := deps.Store.PlanText(ctx, id, number)
			if i == 0 && err == nil {
				text, err = deps.Store.PlanAsBefore(ctx, id, msg.older, msg.newer)
			}
			if err != nil {
				msg.err = fmt.Errorf("v%d cannot be read: %w", number, err)
				return msg
			}
			texts[i] = text.Raw()
			msg.outlines[i] = plans.Outline(text)
		}
		msg.diff = diff.Between(texts[0], texts[1])
		msg.cited = deps.Cited(ctx, id, map[int]safe.Text{msg.older: safe.New(texts[0]), msg.newer: safe.New(texts[1])})
		return msg
	})
}

func (d *Screen) applyRead(msg versionsRead) tea.Cmd {
	d.problem = wording.Sentence(msg.err)
	d.diff, d.versions, d.cited = msg.diff, msg.versions, msg.cited
	if d.diff == nil {
		return nil
	}
	return d.setDiff(msg.diff, msg.outlines)
}

// setDiff shows a diff from its first change on. The outlines are those of both texts.
func (d *Screen) setDiff(changes *diff.Diff, outlines [2][]plans.Section) tea.Cmd {
	d.clear()
	d.diff, d.stat = changes, changes.Stat()
	d.rows.setDiff(changes, outlines[0], outlines[1])
	d.layOut()
	d.view.goTo(0)
	return d.startReading()
}

// startReading begins to render the diff, if the rendered plan is shown.
func (d *Screen) startReading() tea.Cmd {
	if d.reading && d.diff != nil && d.asRead.stretches == nil {
		d.asRead.moved, d.asRead.stretches = d.rows.readUnits()
	}
	return d.renderRead()
}

// switchView switches between the rendered plan and its Markdown. The view stays at about
// the same change.
func (d *Screen) switchView() tea.Cmd {
	from := d.showing()
	d.reading = !d.reading
	d.showing().resemble(from)
	return d.startReading()
}

// showing is the viewport in use.
func (d *Screen) showing() *viewport {
	if d.reading {
		return &d.readView
	}
	return &d.view
}

// Line is the line of the newer text at the change the view is at; 0 if that is not
// known.
func (d *Screen) Line() int {
	if d.diff == nil || d.reading || len(d.view.changes) == 0 {
		return 0
	}
	for _, row := range d.rows.rows[d.view.changes[d.view.at].from:] {
		if row.kind == lineRow && row.right >= 0 {
			return d.diff.Lines[row.right].New
		}
	}
	return 0
}

// version is the record of a version; empty if it is not known.
func (d *Screen) version(number int) store.Plan {
	for _, version := range d.versions {
		if version.Number == number {
			return version
		}
	}
	return store.Plan{}
}
