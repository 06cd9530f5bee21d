package ask

import (
	"strings"

	"planb/questions/safe"
)

// Ended tells the opener of an ask's screen that it closes, and how the ask ended.
type Ended struct {
	Receipt string   // what became of the answer; empty if the person has not answered
	Parting []string // lines to print when the program has ended
	Lost    []string // the same, for texts of the person that are stored nowhere
	Failure error    // why it ended, if an error ended it
}

// Status says in one line how the ask ended; empty if there is nothing to say.
func (e Ended) Status() string {
	switch {
	case e.Failure != nil:
		return safe.New(e.Failure.Error()).Line()
	case e.Receipt != "":
		return e.Receipt
	case len(e.Lost) > 0:
		return firstLine(e.Lost[0])
	case len(e.Parting) > 0:
		return firstLine(e.Parting[len(e.Parting)-1])
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// Beside tells the screen of an ask how many other asks wait for the person.
type Beside struct{ Others int }
