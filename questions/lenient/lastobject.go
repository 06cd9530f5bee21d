package lenient

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// LastObject returns the last JSON object in a text that is in no other: models and
// their programs print words before it, and sometimes behind it. It gives up on a text
// that begins objects again and again and never ends them.
func LastObject(text []byte) (object []byte, found bool) {
	const most = 64 << 20 // bytes read, some of them again and again
	read := 0
	for from := 0; from < len(text) && read < most; {
		start := bytes.IndexByte(text[from:], '{')
		if start < 0 {
			break
		}
		start += from
		dec := json.NewDecoder(bytes.NewReader(text[start:]))
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			read += int(dec.InputOffset()) + 1
			if errors.Is(err, io.ErrUnexpectedEOF) {
				read += len(text) - start
			}
			from = start + 1
			continue
		}
		object, found = raw, true
		from = start + len(raw)
	}
	return object, found
}
