// Package rendering renders the Markdown of a form in commands beside the update loop, and
// keeps it.
//
// A drawing asks a Cache for each piece that it shows (Get, Illustration), and names the
// illustrations that the next key may show (Ahead). Work then returns the commands that
// render what is missing; their messages go to Update. Until a piece is there, Source and
// StandIn say what to show in its place.
//
// The package knows no question: a piece has a name (Ref) and a text. Begin to read in
// cache.go; shelf.go bounds the illustrations that are kept, queue.go decides which piece is
// rendered next.
package rendering
