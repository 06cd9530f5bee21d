// Package budgets measures what planb promises about its speed and size, mostly
// as ratios to the smallest program that does the same. It measures only with
// the flag -budget. CONTRIBUTING.md says how to read the table.
package budgets
