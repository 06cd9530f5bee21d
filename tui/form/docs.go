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
	wanted   map[docKey]safe.Text
	underway map[docKey]bool
	late     map[docKey]bool // those of underway whose source is shown meanwhile
	shelf    shelf           // the illustrations
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
	d.wanted = map[docKey]safe.Text{}
	d.underway = map[docKey]bool{}
	d.late = map[docKey]bool{}
	d.shelf = newShelf()
}

// get returns the introduction or a description if it is rendered. If not, it returns
// false and has it rendered.
func (d *docs) get(ref docRef, text safe.Text, width int) (markdown.Doc, bool) {
	key := docKey{ref, max(markdown.MinWidth, width)}
	if doc, ok := d.done[key]; ok {
		return doc, true
	}
	if d.underway[key] || d.renderer == nil {
		return markdown.Doc{}, false
	}
	if doc, ok := d.renderer.Cached(text, key.width); ok {
		d.done[key] = doc
		return doc, true
	}
	d.wanted[key] = text
	return markdown.Doc{}, false
}

// work returns the command that renders what the last drawing missed, or nil.
func (d *docs) work() tea.Cmd {
	if len(d.wanted)+len(d.shelf.missed)+len(d.shelf.next) == 0 {
		return nil
	}
	cmds := d.shelf.start(d)
	for key, text := range d.wanted {
		d.underway[key] = true
		cmds = append(cmds, d.render(key, text)...)
	}
	clear(d.wanted)
	return tea.Batch(cmds...)
}

// render returns two commands: one renders a piece, the other tells if that takes long.
func (d *docs) render(key docKey, text safe.Text) []tea.Cmd {
	by, done := d.renderer, make(chan struct{})
	return []tea.Cmd{
		func() tea.Msg {
			defer close(done)
			return docRendered{owner: d, key: key, by: by, doc: by.Render(text, key.width)}
		},
		func() tea.Msg {
			patience := time.NewTimer(docPatience)
			defer patience.Stop()
			select {
			case <-done:
				return nil
			case <-patience.C:
				return docLate{d, key}
			}
		},
	}
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
	if msg.owner == d && d.underway[msg.key] {
		d.late[msg.key] = true
		d.news++
	}
}

// add puts a rendered piece into the cache, unless the look has changed since.
func (d *docs) add(msg docRendered) {
	if msg.owner != d || msg.by != d.renderer {
		return
	}
	if msg.key.part == docIllustration {
		delete(d.shelf.underway, msg.key)
		d.shelf.put(msg.key, msg.doc)
		return
	}
	delete(d.underway, msg.key)
	delete(d.late, msg.key)
	d.done[msg.key] = msg.doc
	d.news++
}
