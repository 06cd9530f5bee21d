package tool

import (
	"fmt"
	"strings"
)

// Aside is a text that comes with a result, whatever the result is about. An aside that has
// no room is told with a later result.
type Aside struct {
	Telling *Telling // without an ask
	// Writing is called just before a reply is written that has all of the aside, or the
	// path of it, and the function that it returns just after, with the error of the write.
	Writing func() (written func(error))
}

// asideRoom is the least room of an aside: for a sentence, the beginning of what the person
// wrote and the path of the rest.
const asideRoom = 700

// tellAsides makes notes of the asides and returns those that were told. All of them are
// whole if the result has room for that. Else each gets its share, and one is told in any
// case.
func (f *Fitter) tellAsides(r *Result, most int) (told []Aside) {
	if len(r.Asides) == 0 {
		return nil
	}
	left, all := most-r.wants(most), 0
	for _, aside := range r.Asides {
		all += Size(aside.Telling.Words(Uncut())...)
	}
	fit := all <= left
	if !fit {
		left = max(asideRoom, min(left-moreRoom, most/3))
	}
	for i, aside := range r.Asides {
		rest, share := len(r.Asides)-i, left
		if !fit {
			share = max(left/rest, asideRoom)
		}
		if share > left && i > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("planb's next results tell of %d more like this.", rest))
			break
		}
		text := f.tell(aside.Telling, share)
		r.Data.common().Longer = append(r.Data.common().Longer, text.longer...)
		note := strings.Join(text.items, "\n")
		r.Notes = append(r.Notes, note)
		left -= Size(note)
		if text.whole {
			told = append(told, aside)
		}
	}
	return told
}

// wants is how long the result would be, with all of its items. A part takes all the room there is.
func (r *Result) wants(most int) int {
	switch {
	case r.Part != nil:
		return r.size() + most
	case r.Telling != nil:
		return r.size() + Size(r.Telling.Words(Uncut())...)
	}
	return r.size()
}
