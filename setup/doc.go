// Package setup holds what a person sets up once: planb's settings, and
// planb's place in other programs' configuration.
//
// It reads and writes files, and only those it was told to. It draws nothing,
// asks nobody, speaks no protocol, and runs none of the programs it sets up:
// who wants consent shows the change first and writes it then.
//
// It promises of settings that a file which is wrong in places is used for the
// rest, because a typing mistake in it must not keep a form from opening; and
// that everything wrong is named with its place, what is there, and what may
// be there.
package setup
