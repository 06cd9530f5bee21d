package store

import "unicode/utf8"

// Text is the text of a value as the store keeps long ones, compressed; is says
// whether the value is one. A longer text may be kept in several.
func Text(value []byte) (text string, is bool) {
	var c codec
	whole, err := c.expand(value)
	if err != nil || len(value) == 0 || !utf8.Valid(whole) {
		return "", false
	}
	return string(whole), true
}
