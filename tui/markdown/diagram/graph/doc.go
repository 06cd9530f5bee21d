// Package graph lays out and paints diagrams of boxes and lines: flowcharts and state
// diagrams.
//
// A [Graph] says which nodes there are, which edges join them, and which groups frame
// them. [Graph.Paint] lays the graph out in cells and paints it on a canvas. The
// package knows no language in which a graph is written; package mermaid reads one.
//
// Begin with graph.go, the model. fit.go tries one layout after another until the
// drawing is narrow enough. sheet.go explains the layout and names the file of each
// stage. picture.go and beside.go paint a sheet that is laid out, outline.go the shapes
// of its boxes.
package graph
