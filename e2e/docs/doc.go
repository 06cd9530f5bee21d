// Package docs tests that README, the skill and the table of ways to die say what
// is so: that each named key, command and test exists, and that the commands of
// the README leave a sound store.
package docs
