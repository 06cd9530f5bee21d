package drafts

// StepState tells a person how a step stands: its Standing, and what the run does with the
// step. Screens and commands all use its mark and its word; the colour is in themes.
type StepState uint8

const (
	StepLater   StepState = iota // it waits for other steps
	StepNext                     // it could be written now, and nobody does
	StepInWork                   // somebody writes it
	StepForYou                   // it waits for the person
	StepAgain                    // there is a text, which will be written again
	StepFailed                   // the run failed here
	StepKept                     // somebody edited it, and its inputs have changed since
	StepWritten                  // it is written
)

// Mark returns the state's sign, of one cell.
func (s StepState) Mark() string {
	mark, _ := s.standing()
	return mark
}

// Word returns what the state is called.
func (s StepState) Word() string {
	_, word := s.standing()
	return word
}

func (s StepState) standing() (mark, word string) {
	switch s {
	case StepNext:
		return "○", "next"
	case StepInWork:
		return "◐", "being written"
	case StepForYou:
		return "●", "waits for you"
	case StepAgain:
		return "◌", "to be written again"
	case StepFailed:
		return "✗", "failed"
	case StepKept:
		return "✓", "kept as edited"
	case StepWritten:
		return "✓", "written"
	}
	return "◌", "not written yet"
}
