// Package lanes lays out a graph as a list: each node has a row, below those that it waits
// for, and lines at its left lead to it.
//
// Lay makes the rows of a Graph, Pen draws the lines of a row. What a node is, and what its
// row says, is known by the screen that shows the list. Begin to read in lanes.go.
package lanes
