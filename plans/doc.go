// Package plans is what a plan is: its versions and the rules for its text.
// It is pure.
package plans
