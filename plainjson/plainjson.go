// Package plainjson writes JSON in which <, > and & stay as they are. People, models and
// hashes read planb's JSON; encoding/json escapes these three for HTML pages.
package plainjson

import (
	"bytes"
	"encoding/json"
)

// Marshal returns the JSON of a value on one line, without a line break at the end.
func Marshal(value any) ([]byte, error) { return Indent(value, "") }

// Indent returns the JSON of a value with each level indented, without a line break at the
// end. Without an indent it is one line.
func Indent(value any, indent string) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
