// Package markdown turns untrusted Markdown into lines that are safe to draw.
//
// A [Renderer] parses GitHub-flavoured Markdown and returns a [Doc]: styled lines
// of at most the given width, in the colours of one palette. Begin with
// markdown.go. The promises of a Renderer:
//
//   - Nothing in the text reaches the terminal as a command. The package cleans the
//     text before parsing, and again where Markdown decodes entities such as &#27;.
//     The result passes a filter that lets only SGR (colours and attributes)
//     through. There are no terminal hyperlinks: an address is shown as text.
//   - Nothing in the text is swallowed. Raw HTML, comments and link definitions are
//     shown as they were written. A link always shows where it leads, unless that
//     is its text. Of a citation, [q:id], the answer is shown, or the id
//     if the caller knows no answer; see [Renderer.Citing].
//   - Code and sketches keep every cell: their lines are never wrapped and never cut.
//     They lie on the palette's surface, if it has one. A table keeps every column,
//     and its cells are wrapped to fit. If its columns would become too narrow, a
//     table of short values stays as wide as it is, and any other table is shown row
//     by row. So only code, sketches, diagrams and tables may exceed the width.
//     Doc.Wide lists these blocks; the caller pans them.
//   - A Mermaid diagram is drawn if package diagram can draw it. Otherwise its source
//     is shown below a sentence with the reason. A drawing keeps every cell, too; a
//     legend below it has the full text of shortened labels.
//   - A line break in the text is a line break on the screen.
//   - Rendering never fails and never hangs. Text that is too large, too deeply
//     nested or breaks the renderer comes back as plain wrapped text with a
//     Doc.Notice.
//
// [Renderer.Diff] lays out two versions of a text as one, with the same promises. It
// marks removed and added parts in the rendered text: lists and tables stay whole,
// and a difference only in the source is no change. A changed diagram is compared
// in its source.
//
// Glamour renders running text (paragraphs, headings, table cells), with a style
// made from the palette. This package does the layout around it, because Glamour
// wraps code, joins the paragraphs of a list item, drops raw HTML, keeps the first
// code colours of the process for ever, and takes exponential time on nested
// quotes.
//
// All state is in a Renderer, which builds its parser on first use. The package
// does not decide which text to show, and reads no file, terminal or environment.
package markdown
