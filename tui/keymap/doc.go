// Package keymap holds every key of every screen as data: which keys an Action has,
// how a person reads them, and what the help says of them.
//
// The tables come first. Form and Review give a Map, which tells keys that count
// everywhere from those that count only outside a text, or only in one. The other
// screens have a plain list of bindings. Footers, help and docs/keys.md are made from
// the same tables, so none of them can name a key that does something else.
//
// A person may give an action other keys. New reads such settings and says what is
// wrong with them; the Keys it returns change the tables of a screen. Keys.Actions
// lists all that can be changed.
//
// The package knows no screen. It does not know what an action does, only what it is
// called. Begin to read in action.go.
package keymap
