// Package deaths tests that no answer is lost when something dies: servers, forms,
// panes, tmux, the disk, the clock, in any order and by force. Its cases are the
// rows of testdata/ways-to-die.md.
package deaths
