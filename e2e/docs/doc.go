// Package docs tests that the README, the skill and the table of ways to die
// are true: that each key, command and test they name exists, and that the
// commands of the README leave a sound store.
package docs
