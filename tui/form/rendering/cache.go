package rendering

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/markdown"
)

// Ref names a piece of Markdown in a form.
type Ref struct {
	Part     Part
	Question int // its index; of the introduction 0
	Option   int // its index; of all but illustrations 0
}

// Part is what a piece is for.
type Part uint8

const (
	Intro        Part = iota // of the form
	Description              // of a question
	Illustration             // of an option
)

// Key is a piece of Markdown at a width.
type Key struct {
	Ref
	Width int
}

// rendered brings a rendered piece to the cache that wanted it.
type rendered struct {
	owner *Cache
	key   Key
	by    *markdown.Renderer
	doc   markdown.Doc
}

// late says that a piece takes long to render.
type late struct {
	owner *Cache
	key   Key
}

// Brings returns the piece that a message brings. ok is false for all other messages.
func Brings(msg tea.Msg) (piece Key, ok bool) {
	m, ok := msg.(rendered)
	return m.key, ok
}

// patience is how long the place of a piece stays empty while the piece is being
// rendered; after that its source is shown. Most pieces take a few milliseconds: showing
// their source would flicker, and send the screen twice over a slow line.
const patience = 250 * time.Millisecond

// Cache holds the rendered Markdown of a form. A drawing uses what is in the cache, and
// Work returns commands that render what the drawing missed.
type Cache struct {
	wrap     func(text safe.Text, width int) []string
	width    int // of the form
	renderer *markdown.Renderer
	done     map[Key]markdown.Doc // the introduction and descriptions
	shelf    shelf                // the illustrations
	queue    queue
	late     map[Key]bool // pieces in the queue whose source is shown meanwhile
	news     int          // counts the changes of the cache, except of illustrations
}

// New returns an empty cache without a renderer; Reset gives it one. wrap breaks a source
// into lines.
func New(wrap func(text safe.Text, width int) []string) *Cache {
	d := &Cache{wrap: wrap}
	d.Reset(nil)
	return d
}

// Resize forgets everything if the form has another width: pieces of the old one are not
// needed again soon.
func (d *Cache) Resize(width int) {
	if width != d.width {
		d.Reset(d.renderer)
		d.width = width
	}
}

// News counts the changes of the cache, except of illustrations. A drawing with the same
// count is the same.
func (d *Cache) News() int { return d.news }

// Missing returns the pieces that the last drawing missed and that nothing renders yet.
func (d *Cache) Missing() []Key {
	var keys []Key
	for _, want := range d.queue.missed {
		keys = append(keys, want.key)
	}
	return keys
}

// Idle reports whether nothing is being rendered.
func (d *Cache) Idle() bool { return len(d.queue.underway) == 0 }

// Reset forgets everything, because the look changed. Without a renderer, nothing is
// rendered.
func (d *Cache) Reset(r *markdown.Renderer) {
	d.news++
	d.renderer = r
	d.done = map[Key]markdown.Doc{}
	d.queue = queue{underway: map[Key]bool{}}
	d.late = map[Key]bool{}
	d.shelf = newShelf()
}

// Begin is called when a drawing begins.
func (d *Cache) Begin() {
	d.shelf.begin()
	d.queue.begin()
}

// Get returns the introduction or a description if it is rendered. If not, it returns
// false and has it rendered.
func (d *Cache) Get(ref Ref, text safe.Text, width int) (markdown.Doc, bool) {
	want := wanted{Key{ref, max(markdown.MinWidth, width)}, text}
	if doc, ok := d.done[want.key]; ok {
		return doc, true
	}
	doc, ok := d.cached(want)
	switch {
	case ok:
		d.done[want.key] = doc
	case d.renderer != nil:
		d.queue.miss(want)
	}
	return doc, ok
}

// cached returns a piece that the renderer has in its own cache.
func (d *Cache) cached(want wanted) (markdown.Doc, bool) {
	if d.renderer == nil || d.queue.underway[want.key] {
		return markdown.Doc{}, false
	}
	return d.renderer.Cached(want.text, want.key.Width)
}

// Work returns the command that renders what the last drawing missed, or nil.
func (d *Cache) Work() tea.Cmd {
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
func (d *Cache) render(want wanted) []tea.Cmd {
	by, done := d.renderer, make(chan struct{})
	cmds := []tea.Cmd{func() tea.Msg {
		defer close(done)
		return rendered{owner: d, key: want.key, by: by, doc: by.Render(want.text, want.key.Width)}
	}}
	if want.key.Part == Illustration {
		return cmds
	}
	return append(cmds, func() tea.Msg {
		long := time.NewTimer(patience)
		defer long.Stop()
		select {
		case <-done:
			return nil
		case <-long.C:
			return late{d, want.key}
		}
	})
}

// Source returns the lines that stand in for a piece until it is rendered: those of its
// source, but empty until patience is over.
func (d *Cache) Source(ref Ref, text safe.Text, width int) []string {
	lines := d.wrap(text, width)
	if d.late[Key{ref, max(markdown.MinWidth, width)}] {
		return lines
	}
	return make([]string, len(lines))
}

// Update puts a rendered piece into the cache, or has the source of a piece shown because
// the piece takes long. It ignores a piece of an earlier look, and all other messages.
func (d *Cache) Update(msg tea.Msg) {
	switch msg := msg.(type) {
	case rendered:
		if msg.owner == d && msg.by == d.renderer {
			d.add(msg.key, msg.doc)
		}
	case late:
		if msg.owner == d && d.queue.underway[msg.key] {
			d.late[msg.key] = true
			d.news++
		}
	}
}

func (d *Cache) add(key Key, doc markdown.Doc) {
	delete(d.queue.underway, key)
	if key.Part == Illustration {
		d.shelf.put(key, doc)
		return
	}
	delete(d.late, key)
	d.done[key] = doc
	d.news++
}
