// Package sequence lays out and paints sequence diagrams.
//
// A [Diagram] says which participants there are and what happens between them, step by
// step. [Diagram.Paint] lays the diagram out in cells and paints it on a canvas. The
// package knows no language in which a diagram is written; package mermaid reads one.
//
// Begin with sequence.go, the model. layout.go finds the columns, with the room that
// measure.go asks for; rows.go finds the rows; paint.go paints.
package sequence
