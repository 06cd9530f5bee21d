// Package external lends a text to the person's own programs: their editor, their pager,
// and the terminal's clipboard.
//
// A text that is edited comes back. Write puts it into a file that nobody else can read,
// a Visit is one run of the editor on it, and File knows which lines of what came back
// are the text. What an editor saved after planb was killed stays where it is;
// LeftBehind finds it for the next who opens the ask. A Sharer gives out copies, from
// which nothing comes back.
//
// The package knows no form. It is the only room of tui that writes files, and each of
// them is removed when the program that had it ends.
package external
