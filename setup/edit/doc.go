// Package edit changes single values in other programs' configuration files,
// and nothing else in them: comments, order, indentation, line ends and all
// other values keep their bytes. It knows JSON, with comments and trailing
// commas or without, TOML, and blocks of lines between marks.
//
// It works on text and reads and writes no file. What it returns was read back
// and compared: it says what the text before said, except for the changes. A
// text that it does not understand it does not change.
package edit
