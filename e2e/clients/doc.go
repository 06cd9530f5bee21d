// Package clients tests planb behind the clients people use, driven by a scripted
// model, and behind one that means harm. The real clients run only when the flag
// -clients names where they are installed, as .ci/clients does.
package clients
