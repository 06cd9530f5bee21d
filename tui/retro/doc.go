// Package retro shows past sessions: the story of one, with what was known at each moment
// beside it (NewSession); a version of its plan; and the search through
// everything that was asked, answered and planned (NewSearch).
//
// The screens only read. They are given what they need in Deps: the reads of the store, the
// keys, and a function that opens the form of an ask, because forms stand in other rooms.
// Package store/timeline tells what happened, store/search finds words, and compare shows
// what changed between two versions.
//
// The list of sessions stands in package inbox, above this one. Begin to read in
// session.go.
package retro
