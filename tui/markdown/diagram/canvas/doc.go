// Package canvas paints a diagram on a grid of cells.
//
// A [Canvas] has lines of a [Stroke], each a [Sign] or a text, and remembers the [Role]
// of everything. [Canvas.Lines] returns the finished rows as spans of one role. Lines
// that meet show the right junction; see [Canvas]. The canvas knows no boxes of a
// layout and no kind of diagram: packages graph and sequence paint on it.
package canvas
