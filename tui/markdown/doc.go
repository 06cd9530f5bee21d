// Package markdown turns untrusted Markdown into lines that are safe to draw.
//
// A [Renderer] parses GitHub-flavoured Markdown and gives back a [Doc]: styled
// lines of at most the asked width, in the colours of one palette. Its promises:
//
//   - Nothing in the text reaches the terminal as a command. Text is cleaned
//     before it is parsed, again where Markdown decodes entities such as &#27;,
//     and what comes out passes a filter that knows only SGR (colours and
//     attributes). There are no terminal hyperlinks: an address is shown as text.
//   - Nothing in the text is swallowed. Raw HTML, comments and link definitions
//     are shown as they were written, and a link shows where it leads even when
//     its text looks like another address.
//   - Code and sketches keep every cell: their lines are never wrapped and never
//     cut. A table keeps every column: its cells are wrapped to fit; where the
//     columns would get too narrow for that, one of short values stays as wide as
//     it is and any other is shown row by row. So code, sketches, drawings and tables
//     may be wider than asked, and nothing else. Doc.Wide says which; it is for the
//     caller to pan them.
//   - A diagram in Mermaid's language is drawn, if package diagram can; else its
//     source is shown with a sentence that says why not. A drawing keeps every cell,
//     too, and what it had to shorten is told below it.
//   - A line break in the text is a line break on the screen.
//   - Rendering never fails and never hangs: what is too large, too deeply nested
//     or breaks the renderer comes back as plain wrapped text with a Doc.Notice.
//
// Two versions of a text are laid out as one by [Renderer.Diff], with the same
// promises. It marks what was taken out and what was put in where it is read:
// lists and tables stay whole, and what differs in the source alone is no change.
// A diagram that changed is compared in its source.
//
// Glamour renders what flows (paragraphs, headings, table cells), with a style
// made from the palette. The layout around it is done here, because Glamour
// wraps code, joins the paragraphs of a list item, leaves out raw HTML, keeps the
// first code colours of the process for good, and takes exponential time on
// nested quotes.
//
// All state is in a Renderer, which builds its parser when it is first used. The
// package never decides what to show, and reads no file, terminal or environment.
package markdown
