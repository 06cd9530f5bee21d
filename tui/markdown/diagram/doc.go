// Package diagram draws Mermaid diagrams as text: boxes and lines made of
// characters, in rows of spans that say what each part is.
//
// [Draw] takes the source of one diagram and returns a [Drawing]. It draws
// flowcharts, state diagrams and sequence diagrams. This package connects the rooms
// below it, from the bottom up:
//
//	label      a text in lines: how wide it is, where it breaks, how it is shortened
//	canvas     a grid of cells: strokes, signs and words, and the role of each
//	graph      boxes joined by lines: the model, its layout and its picture
//	sequence   participants and messages: the model, its layout and its picture
//	mermaid    reads a source and makes a graph or a sequence diagram of it
//
// Promises:
//
//   - A drawing is complete: it has every node, edge and label. If the package does
//     not understand something, it returns an [*UnsupportedError] instead, which says
//     in one sentence what and where, so that the caller can show the source. Styles
//     for a browser (classes, links, themes) are ignored.
//   - A drawing fits the given width if it can. First its boxes move closer and their
//     labels wrap. Then a diagram that leads sideways turns to lead downwards, or the
//     other way round. Then words are cut short, and [Drawing.Legend] has the labels
//     in full. If that is not enough, the drawing is wider, as [Drawing.Width] says.
//   - The same source and options give the same drawing.
//   - Foreign text is safe: drawing never panics, limits on nodes, edges, labels and
//     cells bound time and memory, and labels lose every control character.
//
// The package has no colours: a span has a role ([canvas.Role]), and the caller has
// the palette. The package reads no file, terminal or environment, and knows nothing
// of Markdown.
package diagram
