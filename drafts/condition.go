package drafts

// Condition tells a person how a draft stands as a whole. Screens and commands all use its
// mark and its word; the colour is in themes.
type Condition uint8

// The conditions, in the order in which they are listed.
const (
	DraftForYou       Condition = iota // a step waits for the person
	DraftStalled                       // nothing was written for some time, though it should be
	DraftReplied                       // the person replied at a step, and it is an agent's turn
	DraftBeingWritten                  // somebody writes a step
	DraftInWork                        // its run goes on; a list of drafts does not read who writes it
	DraftToBeWritten                   // an agent or a program may write the next step
	DraftFailed
	DraftStopped
	DraftWritten
)

// Mark returns the condition's sign, of one cell.
func (c Condition) Mark() string {
	mark, _ := c.standing()
	return mark
}

// Word returns what the condition is called.
func (c Condition) Word() string {
	_, word := c.standing()
	return word
}

func (c Condition) standing() (mark, word string) {
	switch c {
	case DraftForYou:
		return StepForYou.standing()
	case DraftStalled:
		return "●", "stalled"
	case DraftReplied:
		return "◐", "you replied"
	case DraftBeingWritten:
		return StepInWork.standing()
	case DraftInWork:
		return "◐", "in work"
	case DraftFailed:
		return StepFailed.standing()
	case DraftStopped:
		return "–", "stopped"
	case DraftWritten:
		return StepWritten.standing()
	}
	return "○", "to be written"
}
