// Package deaths tests that no answer is lost if something dies or fails:
// servers, forms, panes, tmux, the disk, the clock, in any order and by force.
// testdata/ways-to-die.md lists its cases.
package deaths
