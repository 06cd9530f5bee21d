package tool

import (
	"fmt"

	"planb/store"
)

const (
	// mostEarlier is how many earlier questions one result announces.
	mostEarlier = 20
	// earlierRoom is the room for naming the earlier questions whose outcomes do not fit.
	// moreRoom is the room for the count of those that are not even named.
	earlierRoom = 600
	moreRoom    = 120
)

// Announcement is the outcome of an earlier question that comes with a result.
type Announcement struct {
	Ask  store.Ask
	Data Data
	Text string // tells the outcome
	Hint string // says only that there is one, and how to get it
}

// announce tells the outcomes that still fit, and says how to get the others, which are not
// delivered by that.
func (r *Result) announce(most int) (delivers []string) {
	left := most - Size(r.Items...) - Size(r.Notes...)
	unnamed := 0
	for i, earlier := range r.Earlier {
		spare := left
		if i < len(r.Earlier)-1 {
			spare -= moreRoom
		}
		text := earlier.Text
		switch {
		case i < mostEarlier && Size(text) <= spare:
			r.Data.common().Earlier = append(r.Data.common().Earlier, earlier.Data)
			delivers = append(delivers, earlier.Ask.ID)
		case i < mostEarlier && Size(earlier.Hint) <= spare:
			text = earlier.Hint
		default:
			unnamed++
			continue
		}
		left -= Size(text)
		r.said = append(r.said, text)
	}
	if unnamed > 0 {
		r.said = append(r.said, fmt.Sprintf("More earlier questions were answered, and planb's next results tell of them: %d.", unnamed))
	}
	return delivers
}
