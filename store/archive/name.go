package archive

import (
	"strings"
	"time"
	"unicode"

	"planb/store"
)

// FileName returns a name for a file with the session, without an extension:
// the day of its creation, words of its title, and its short id. It does not
// change unless the title changes, and is a valid file name on every system.
func (s Session) FileName() string {
	const most = 50 // bytes of the title
	name := s.Created.UTC().Format(time.DateOnly)
	words := strings.FieldsFunc(strings.ToLower(s.Title.Raw()), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	length := 0
	for _, word := range words {
		if length += 1 + len(word); length > most {
			break
		}
		name += "-" + word
	}
	return name + "-" + store.ShortID(s.ID)
}
