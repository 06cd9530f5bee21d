package procgroup

import "bytes"

// Output keeps the first bytes of what a program prints.
type Output struct {
	Most int    // how many are kept
	Over func() // called when more came; nil: nothing

	kept bytes.Buffer // not embedded: its ReadFrom has no bounds
}

// Write implements io.Writer. It keeps what fits, and drops the rest without an error.
func (o *Output) Write(data []byte) (int, error) {
	room := o.Most - o.kept.Len()
	if len(data) > room && o.Over != nil {
		o.Over()
	}
	o.kept.Write(data[:min(len(data), max(room, 0))])
	return len(data), nil
}

// Bytes are what was kept.
func (o *Output) Bytes() []byte { return o.kept.Bytes() }

// String is Bytes as a text.
func (o *Output) String() string { return o.kept.String() }
