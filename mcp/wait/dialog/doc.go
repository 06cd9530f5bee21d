// Package dialog is a form as a client's own dialog (an elicitation) shows it.
//
// A Form holds a few fields: texts to type and choices to pick. Params writes it for the
// client, and Read checks the client's reply like any other answer. Which questions make
// a Form, and what its message says, is decided by those who ask. When a dialog is shown,
// and what becomes of its reply, is decided in package wait.
//
// Begin to read at form.go.
package dialog
