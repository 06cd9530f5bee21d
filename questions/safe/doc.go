// Package safe holds text that came from outside and may be hostile.
//
// Whatever an agent, a file or a person wrote is kept as a Text. It stores
// and returns the exact bytes, because option values, edits and hashes depend
// on them, and gives a screen only a cleaned form of them:
//
//   - Line, for one row of a screen, and Block, for many;
//   - each control character shows as its picture: ␛ for ESC, ␇ for BEL, ␡ for
//     DEL. An escape sequence so loses its first byte and with it its power;
//     the rest of it stays readable;
//   - each run of other characters that a terminal would obey or hide shows as
//     one �: C1 controls in either encoding and other invalid UTF-8,
//     bidirectional controls, tag characters, line and paragraph separators,
//     stray zero-width characters and variation selectors, soft hyphens, Hangul
//     fillers, combining marks without a base and beyond MaxMarks on one base;
//   - joiners and variation selectors stay where writing needs them: inside
//     emoji, and in the scripts that are spelled with them.
//
// So nothing is swallowed silently, and cleaning what is clean changes
// nothing. The package knows nothing of colours, widths or Markdown, and does
// no input or output. A renderer that decodes more characters out of clean
// text (Markdown's &#27;) has to filter its own output again.
package safe
