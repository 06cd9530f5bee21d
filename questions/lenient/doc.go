// Package lenient reads JSON as models write it. It understands other spellings of
// a field's name, JSON inside a JSON string, numbers and booleans as strings, and
// fields that are there but empty. It collects everything else as Problems, worded
// for the model that corrects them, all at once.
//
// Parse makes a Node of JSON, and Members takes an object apart without decoding its
// values. A Reader reads the fields of an Object, named by Field, and notes its Problems.
// Slug makes an id from a title, and Nearest finds the name that was probably meant.
//
// The package does not know what is read: forms and seeds of tasks have their rules
// where they live. It does no input or output. Begin with object.go.
package lenient
