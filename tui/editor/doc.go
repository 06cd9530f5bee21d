// Package editor is the text area of planb's screens: a text, its caret, its history, and
// the rows in view. It gets keys as actions of package keymap, and returns rows of clean
// text and the place of the caret.
//
// The package knows no question, no style and no terminal. Package editor/external runs
// the person's own editor. Begin to read in editor.go; layout.go breaks lines into rows,
// and undo.go keeps the history.
package editor
