package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// minVersionBytes is the length of the shortest plan there is.
const minVersionBytes = 500

// document is a plan while it is being written.
type document struct {
	script   *script
	title    string
	sections []section
	bytes    int // about
	want     int
}

// section is a heading and what stands below it: paragraphs, lists, tables and
// fenced code, each a string without the line break at its end.
type section struct {
	title  string
	blocks []string
}

// newDocument writes a plan of about the wanted length.
func (p *play) newDocument(title string) *document {
	if title == "" {
		title = p.word(p.r, "work")
	}
	d := &document{script: p.script, title: title, want: p.size.VersionBytes}
	d.want = d.want*9/10 + p.r.IntN(d.want/5)
	d.bytes = len(title) + 2
	for d.bytes < d.want {
		if len(d.sections) == 0 || len(d.sections) < 15 && p.r.IntN(6) == 0 {
			d.addSection(p.r)
		}
		d.insert(p.r)
	}
	return d
}

func (d *document) text() string {
	var text strings.Builder
	text.Grow(d.bytes + 1<<10)
	text.WriteString("# " + d.title + "\n")
	for _, s := range d.sections {
		text.WriteString("\n## " + s.title + "\n")
		for _, block := range s.blocks {
			text.WriteString("\n" + block + "\n")
		}
	}
	return text.String()
}

func (d *document) addSection(r *rand.Rand) {
	s := section{title: d.script.word(r, "section")}
	d.sections = append(d.sections, s)
	d.bytes += len(s.title) + 5
	d.put(r, len(d.sections)-1)
}

// insert adds a block somewhere.
func (d *document) insert(r *rand.Rand) { d.put(r, r.IntN(len(d.sections))) }

func (d *document) put(r *rand.Rand, at int) {
	block := d.block(r)
	s := &d.sections[at]
	s.blocks = slices.Insert(s.blocks, r.IntN(len(s.blocks)+1), block)
	d.bytes += len(block) + 2
}

func (d *document) block(r *rand.Rand) string {
	s := d.script
	lines := make([]string, 2+r.IntN(4))
	switch r.IntN(8) {
	case 0:
		for i := range lines {
			lines[i] = fmt.Sprintf("- [%s] %s", one(r, []string{" ", "x"}), s.sentence(r))
		}
	case 1:
		for i := range lines {
			lines[i] = fmt.Sprintf("%d. **%s** %s", i+1, s.word(r, "verb"), s.sentence(r))
		}
	case 2:
		lines[0], lines[1] = "| step | who | days |", "|---|---|---:|"
		for i := range lines[2:] {
			lines[i+2] = fmt.Sprintf("| %s | %s | %d |", s.word(r, "object"), s.word(r, "subject"), 1+r.IntN(30))
		}
	case 3:
		for i := range lines {
			lines[i] = fmt.Sprintf("\t%s(ctx, %d) // %s", s.word(r, "verb"), r.IntN(1000), s.word(r, "object"))
		}
		return "```go\nfunc run(ctx context.Context) {\n" + strings.Join(lines, "\n") + "\n}\n```"
	default:
		for i := range lines {
			lines[i] = s.sentence(r)
		}
		return strings.Join(lines, " ")
	}
	return strings.Join(lines, "\n")
}

// edit makes the next version: a few changes, after which the text is another
// one and about as long as wanted.
func (d *document) edit(r *rand.Rand) {
	for range 1 + r.IntN(4) {
		d.change(r)
	}
	for range len(d.sections) * 5 {
		if d.bytes > d.want {
			d.remove(r)
		}
	}
	for d.bytes < d.want*9/10 {
		d.insert(r)
	}
	d.rewrite(r)
}

func (d *document) change(r *rand.Rand) {
	switch n := r.IntN(20); {
	case n == 0 && len(d.sections) > 1: // another order
		i := r.IntN(len(d.sections))
		moved := d.sections[i]
		d.sections = slices.Delete(d.sections, i, i+1)
		d.sections = slices.Insert(d.sections, r.IntN(len(d.sections)+1), moved)
	case n == 1 && len(d.sections) > 3:
		i := r.IntN(len(d.sections))
		for _, block := range d.sections[i].blocks {
			d.bytes -= len(block) + 2
		}
		d.bytes -= len(d.sections[i].title) + 5
		d.sections = slices.Delete(d.sections, i, i+1)
	case n == 2:
		d.addSection(r)
	case n < 8:
		d.remove(r)
	case n < 12:
		d.insert(r)
	default:
		d.rewrite(r)
	}
}

func (d *document) remove(r *rand.Rand) {
	s := &d.sections[r.IntN(len(d.sections))]
	if len(s.blocks) == 0 {
		return
	}
	i := r.IntN(len(s.blocks))
	d.bytes -= len(s.blocks[i]) + 2
	s.blocks = slices.Delete(s.blocks, i, i+1)
}

// rewrite changes some words of a block, to others that never were there.
func (d *document) rewrite(r *rand.Rand) {
	s := &d.sections[r.IntN(len(d.sections))]
	if len(s.blocks) == 0 {
		s.blocks = append(s.blocks, d.script.sentence(r))
		d.bytes += len(s.blocks[0]) + 2
	}
	i := r.IntN(len(s.blocks))
	was := s.blocks[i]
	words := strings.Split(was, " ")
	words[r.IntN(len(words))] += fmt.Sprintf(" (%s, %d)", d.script.word(r, "verb"), r.IntN(100_000))
	s.blocks[i] = strings.Join(words, " ")
	d.bytes += len(s.blocks[i]) - len(was)
}

// cite has some paragraph say which answer it follows from.
func (d *document) cite(r *rand.Rand, answered []string) {
	if len(answered) == 0 || r.IntN(3) > 0 {
		return
	}
	s := &d.sections[r.IntN(len(d.sections))]
	line := fmt.Sprintf("%s [q:%s]", d.script.sentence(r), answered[len(answered)-1-r.IntN(min(len(answered), 5))])
	s.blocks = append(s.blocks, line)
	d.bytes += len(line) + 2
}
