// Package simplex finds integers that keep given distances at the least cost.
//
// An [Arc] asks for a distance between two variables. [Minimize] finds values for all
// variables with the network simplex method, as Gansner, Koutsofios, North and Vo
// describe it for drawing graphs ("A Technique for Drawing Directed Graphs", 1993).
// Package graph uses it for the layers of nodes, and for their places in a layer. This
// package knows nothing of drawings.
package simplex
