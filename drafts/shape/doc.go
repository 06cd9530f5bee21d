// Package shape declares what the output of a step may be, and derives from that
// one declaration everything that depends on it: the skeleton that a model is
// shown, the JSON Schema, the check of what the model sent, the JSON that is
// stored, the lines in which later models read it, the YAML that a person edits,
// and the Markdown that a person reads.
//
// A Shape is a list of fields. Read turns what a model sent into an Object, or
// tells all mistakes at once, each with its place, what was got, what is allowed
// and an example. It understands what models write anyway: JSON in a string or in
// a code fence, numbers as strings, another case of a choice.
//
// The package knows no step and no plan; that two outputs contradict each other
// is found elsewhere. It is pure. Begin with field.go.
package shape
