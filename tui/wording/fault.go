package wording

import (
	"planb/questions"
	"planb/questions/safe"
)

// Sentence is an error for a line of the screen; empty for none.
func Sentence(err error) string {
	if err == nil {
		return ""
	}
	return safe.New(err.Error()).Line()
}

// UnknownKind says that a question is of a kind that this planb does not know.
func UnknownKind(q questions.Question) safe.Text {
	return safe.New("▲ A question of the kind " + string(q.Kind) + " needs a newer planb to be answered.")
}
