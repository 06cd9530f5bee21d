// Package mermaid reads diagrams in Mermaid's language; see
// https://mermaid.js.org/intro/syntax-reference.html.
//
// [Read] returns a [Diagram], whose body is a [graph.Graph] or a [sequence.Diagram]. An
// [Error] says what cannot be read, and in which line. The package lays out and paints
// nothing.
//
// Begin with read.go, which picks the reader by the first word of a source: flow.go for
// flowcharts, state.go for state diagrams, sequence.go for sequence diagrams. source.go
// splits a source into lines, label.go reads the texts in it. The limits of a diagram
// stand beside the readers, so that a layout need not expect larger ones.
package mermaid
