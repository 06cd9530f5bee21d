// Package clients tests planb with the clients that people use, whose model is
// a script, and with a hostile client. The real clients run only if the flag
// -clients names the directory where they are installed, as .ci/clients does.
package clients
