// Package fakestore fills an engine with a store of any size, the same each time: a few
// shapes of sessions, asks and plans, over and over. It is for what measures planb with
// years of use behind it, and for contributors who want to look at such a store. Begin
// with Generate; what a session is made of is in play.go. It knows no engine but the one
// in memory.
package fakestore
