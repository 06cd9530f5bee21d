// Package safe holds text that came from outside and may be hostile.
//
// A Text holds what an agent, a file or a person wrote. It stores and returns the
// exact bytes, because option values, edits and hashes depend on them. A screen
// gets only a cleaned form: Line for one row, Block for many. Cleaning works like
// this:
//
//   - Each control character becomes its picture: ␛ for ESC, ␇ for BEL, ␡ for
//     DEL. An escape sequence without its first byte does nothing; the rest of it
//     stays readable.
//   - Each run of other characters that a terminal would obey or hide becomes one
//     �: C1 controls in either encoding and other invalid UTF-8, bidirectional
//     controls, tag characters, line and paragraph separators, stray zero-width
//     characters and variation selectors, soft hyphens, Hangul fillers, combining
//     marks without a base, and marks beyond MaxMarks on one base.
//   - Joiners and variation selectors stay where writing needs them: inside
//     emoji, and in the scripts that are spelled with them.
//
// So no character disappears silently, and cleaning a clean text changes nothing.
// The package knows nothing of colours, widths or Markdown, and does no input or
// output. A renderer that decodes more characters from clean text (Markdown's
// &#27;) must filter its own output again. Begin with text.go.
package safe
