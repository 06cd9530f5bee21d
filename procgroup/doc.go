// Package procgroup has a program that planb runs end together with all that it
// started.
package procgroup
