package timeline

// Known is what was known at one moment.
type Known struct {
	Replies []int // indexes in Events of the replies so far, oldest first
	Plan    int   // the current version's number; 0 for none yet
	Open    int   // how many asks were open
}

// Known returns what was known after the event at that place.
func (s *Story) Known(place int) Known {
	var k Known
	open := map[string]bool{}
	for i, e := range s.Events[:min(place+1, len(s.Events))] {
		switch {
		case e.Reply():
			k.Replies = append(k.Replies, i)
		case e.Kind == Planned:
			k.Plan = e.Plan
		}
		switch e.Kind {
		case Asked, Submitted:
			open[e.Ask] = e.Err == nil
		case Answered, Reviewed, Discussed, Declined, Withdrawn:
			open[e.Ask] = false
		}
	}
	for _, still := range open {
		if still {
			k.Open++
		}
	}
	return k
}

// Since returns the places in Events of the replies that a version follows
// from: the replies since the version before it. It is nil for a version that
// the story does not have.
func (s *Story) Since(number int) (replies []int) {
	place, ok := s.FindPlan(number)
	if !ok {
		return nil
	}
	for i := place - 1; i >= 0 && s.Events[i].Kind != Planned; i-- {
		if s.Events[i].Reply() {
			replies = append(replies, i)
		}
	}
	for i, j := 0, len(replies)-1; i < j; i, j = i+1, j-1 {
		replies[i], replies[j] = replies[j], replies[i]
	}
	return replies
}

// Following returns the numbers of the versions saved after the event at that
// place, in their order.
func (s *Story) Following(place int) (numbers []int) {
	for i := place + 1; i < len(s.Events); i++ {
		if s.Events[i].Kind == Planned {
			numbers = append(numbers, s.Events[i].Plan)
		}
	}
	return numbers
}
