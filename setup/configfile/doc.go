// Package configfile rewrites a person's configuration files, after they have
// seen how.
//
// A rewrite is made in two steps: Plan reads the file and says what it would
// become, Write puts that in place. It promises that a file is replaced whole
// or not at all; that it keeps its mode and its owner, and a link to it stays
// one; that what was there before lies beside it; and that nothing is written
// over what another program has written in between. Processes that write the same
// file through Alone wait for one another.
//
// What stands in the files it does not know.
package configfile
