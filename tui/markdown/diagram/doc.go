// Package diagram draws Mermaid diagrams as text: boxes and lines made of
// characters, in rows of spans that say what each part is.
//
// [Draw] takes the source of one diagram and gives back a [Drawing]. Flowcharts,
// state diagrams and sequence diagrams are drawn; each is read by a parser of its
// own into what it is about, laid out in cells, and painted on a canvas. Promises:
//
//   - What is drawn is all there is: no node, edge or label is left out. What is
//     not understood is no drawing at all but an [*UnsupportedError], which says in
//     one sentence what and where, so that the source can be shown in its place.
//     What only styles a diagram for a browser (classes, links, themes) is passed over.
//   - A drawing fits the asked width if it can: first its boxes move closer and
//     their labels wrap, then one that leads sideways leads downwards, or the other
//     way round, and then words are cut short and [Drawing.Legend] tells the labels in
//     full. Failing that it is wider than asked and [Drawing.Width] says so; nothing
//     is ever left out.
//   - The same source and options give the same drawing.
//   - Foreign text is safe to put in: drawing never panics, time and memory are
//     bounded by limits on nodes, edges, labels and cells, and labels lose every
//     control character.
//
// There are no colours here: a span has a [Role], and who shows it knows the
// palette. The package reads no file, terminal or environment, and knows nothing
// of Markdown.
package diagram
