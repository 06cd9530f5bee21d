package wording

import (
	"strings"

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

// EditRefused says why a text that came back from the person's editor was not used.
func EditRefused(err error) string {
	return "planb did not take over your edit: " + strings.TrimSuffix(Sentence(err), ".") + "."
}

// UnknownKind says that a question is of a kind that this planb does not know.
func UnknownKind(q questions.Question) safe.Text {
	return safe.New("▲ A question of the kind " + string(q.Kind) + " needs a newer planb to be answered.")
}
