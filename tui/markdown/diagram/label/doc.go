// Package label measures, wraps and shortens the texts of a diagram.
//
// A [Label] is a text in lines. It wraps at spaces, and within a long word at the
// places where shorter words join. A [Breakable] is a label cut at these places, for a
// caller that wraps one label at many widths. All widths are in cells. Package mermaid
// makes labels from a source; nothing here knows how a source is written.
package label
