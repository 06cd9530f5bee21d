// Package editor is the text area of planb's screens: a text being written, its caret,
// its history, and the rows of it that are visible. The keys reach it as actions of
// keymap; who draws it gets rows of clean text and the place of the caret.
//
// It knows no question, no style and no terminal. What runs the person's own editor is
// in editor/external. Begin to read in editor.go; layout.go breaks lines into rows, and
// undo.go keeps what was done.
package editor
