// Package docs tests that the README, the pages in docs, the skill and the table of ways to die
// are true: that each key, command and test they name exists, and that the
// commands of the docs leave a sound store.
package docs
