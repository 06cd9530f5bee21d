// Package budgets measures what planb promises of its speed and size, mostly as
// ratios to the least program that does the same. It measures nothing unless
// asked by the flag -budget; CONTRIBUTING.md says how to read the table.
package budgets
