// Package setup holds what a person sets up once: planb's settings. The
// packages below it register planb in the configuration of other programs, and
// check the result.
//
// It reads and writes only the files that it is given. It draws nothing, asks
// no questions and runs no program. A caller that needs consent shows the
// change first and writes it afterwards.
//
// A settings file with mistakes is still used for the rest, because a typing mistake
// must not keep a form from opening. For each mistake planb names the place, what was
// found there, and what is allowed. Begin to read at Keys.
package setup
