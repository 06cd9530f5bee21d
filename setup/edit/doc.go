// Package edit changes single values in other programs' configuration files.
// Comments, order, indentation, line ends and all other values keep their
// bytes. It knows JSON, with or without comments and trailing commas, TOML, and
// blocks of lines between marks.
//
// It works on text and reads and writes no file. It decodes its result again
// and compares: the result says what the old text said, except for the changes.
// It changes no text that it cannot parse. Begin to read at Apply.
package edit
