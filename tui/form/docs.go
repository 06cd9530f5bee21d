package form

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/markdown"
)

// docRef names a piece of Markdown in a form.
type docRef struct {
	part     docPart
	question int
	option   int
}

type docPart uint8

const (
	docIntro docPart = iota
	docDescription
	docIllustration
)

// docKey is a piece of Markdown at a width.
type docKey struct {
	docRef
	width int
}

// docRendered brings a rendered piece to the form that wanted it.
type docRendered struct {
	owner *docs
	key   docKey
	by    *markdown.Renderer
	doc   markdown.Doc
}

// docLate says that a piece takes long to render.
type docLate struct {
	owner *docs
	key   docKey
}

// docPatience is how long the place of a piece stays empty while the piece is being
// rendered; after that its source is shown. Most pieces take a few milliseconds: showing
// their source would flicker, and send the screen twice over a slow line.
const docPatience = 250 * time.Millisecond

// docs caches the rendered Markdown of a form. A drawing uses what is in the cache, and
// work returns commands that render what the drawing missed.
type docs struct {
	host     Host
	width    int // of the form
	renderer *markdown.Renderer
	done     map[docKey]markdown.Doc // the introduction and descriptions
	shelf    shelf                   // the illustrations
	queue    queue
	late     map[docKey]bool // pieces in the queue whose source is shown meanwhile
	news     int             // counts the changes of the cache, except of illustrations
}

func newDocs(h Host) *docs {
	d := &docs{host: h}
	d.reset(nil)
	return d
}

// reset forgets everything, because the look changed.
func (d *docs) reset(r *markdown.Renderer) {
	d.news++
	d.renderer = r
	d.done = map[docKey]markdown.Doc{}
	d.queue = queue{underway: map[docKey]bool{}}
	d.late = map[docKey]bool{}
	d.shelf = newShelf()
}

// begin begins a drawing.
func (d *docs) begin() {
	d.shelf.begin()
	d.queue.begin()
}

// get returns the introduction or a description if it is rendered. If not, it returns
// false and has it rendered.
func (d *docs) get(ref docRef, text safe.Text, width int) (markdown.Doc, bool) {
	want := wantedDoc{docKey{ref, max(markdown.MinWidth, width)}, text}
	if doc, ok := d.done[want.key]; ok {
		return doc, true
	}
	doc, ok := d.rendered(want)
	switch {
	case ok:
		d.done[want.key] = doc
	case d.renderer != nil:
		d.queue.miss(want)
	}
	return doc, ok
}

// rendered returns a piece that the renderer has in its own cache.
func (d *docs) rendered(want wantedDoc) (markdown.Doc, bool) {
	if d.renderer == nil || d.queue.underway[want.key] {
		return markdown.Doc{}, false
	}
	return d.renderer.Cached(want.text, want.key.width)
}

// work returns the command that renders what the last drawing missed, or nil.
func (d *docs) work() tea.Cmd {
	if d.renderer == nil {
		return nil
	}
	var cmds []tea.Cmd
	for _, want := range d.queue.start() {
		cmds = append(cmds, d.render(want)...)
	}
	return tea.Batch(cmds...)
}

// render returns the command that renders a piece. Unless the piece is an illustration, a
// second command tells if that takes long.
func (d *docs) render(want wantedDoc) []tea.Cmd {
	by, done := d.renderer, make(chan struct{})
	cmds := []tea.Cmd{func() tea.Msg {
		defer close(done)
		return docRendered{owner: d, key: want.key, by: by, doc: by.Render(want.text, want.key.width)}
	}}
	if want.key.part == docIllustration {
		return cmds
	}
	return append(cmds, func() tea.Msg {
		patience := time.NewTimer(docPatience)
		defer patience.Stop()
		select {
		case <-done:
			return nil
		case <-patience.C:
			return docLate{d, want.key}
		}
	})
}

// source returns the lines that stand in for a piece until it is rendered: those of its
// source, but empty until docPatience is over.
func (d *docs) source(ref docRef, text safe.Text, width int) []string {
	lines := d.host.Wrap(text, width)
	if d.late[docKey{ref, max(markdown.MinWidth, width)}] {
		return lines
	}
	return make([]string, len(lines))
}

// overdue has the source of a piece shown, because the piece takes long.
func (d *docs) overdue(msg docLate) {
	if msg.owner == d && d.queue.underway[msg.key] {
		d.late[msg.key] = true
		d.news++
	}
}

// add puts a rendered piece into the cache, unless the look has changed since.
func (d *docs) add(msg docRendered) {
	if msg.owner != d || msg.by != d.renderer {
		return
	}
	delete(d.queue.underway, msg.key)
	if msg.key.part == docIllustration {
		d.shelf.put(msg.key, msg.doc)
		return
	}
	delete(d.late, msg.key)
	d.done[msg.key] = msg.doc
	d.news++
}
