// Package configfile rewrites a person's configuration files after they have
// seen the change.
//
// There are two steps: Plan reads the file and computes the new text, Write
// puts it in place. A file is replaced whole or not at all. It keeps its mode
// and its owner, and a link to it stays a link. The old file is kept beside the
// new one. Nothing that another program wrote in between is overwritten.
// Processes that write the same file through Alone wait for one another.
//
// It does not know what the files contain; setup/edit does. Begin to read at
// Plan.
package configfile
