package preview

import (
	"strings"

	"planb/questions/safe"
)

// headBytes is the most of a plan that is shown.
const headBytes = 4 << 10

// Head returns the beginning of a plan, up to the end of a line. It is a copy, because a
// part of a string keeps the whole string in memory.
func Head(text safe.Text) safe.Text {
	raw := text.Raw()
	if len(raw) <= headBytes {
		return text
	}
	head := raw[:headBytes]
	if end := strings.LastIndexByte(head, '\n'); end > 0 {
		return safe.New(strings.Clone(head[:end+1]))
	}
	return safe.New(strings.ToValidUTF8(head, ""))
}
