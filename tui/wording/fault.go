package wording

import (
	"errors"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
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

// Refused says why the store did not take what the person sent.
func Refused(err error) string {
	if gone, ok := errors.AsType[*store.UnknownError](err); ok && gone.What == "ask" {
		return "this form is no longer in the store, as when you go back to a backup"
	}
	return safe.New(err.Error()).Block()
}

// Damaged is the short name of what is wrong with a record that was overwritten or cut short.
const Damaged = "damaged record"

// Mends is the command that mends a store with damaged records.
const Mends = "planb doctor --repair"

// Damage names a damaged record, and says how it is damaged; false if the error is about no
// such record.
func Damage(err error) (record, how string, ok bool) {
	fault, ok := errors.AsType[*kv.Fault](err)
	if !ok || fault.Kind != kv.FaultDamaged || fault.Key == "" {
		return "", "", false
	}
	return safe.New(string(fault.Key)).Line(), Sentence(fault.Err), true
}

// UnknownKind says that a question is of a kind that this planb does not know.
func UnknownKind(q questions.Question) safe.Text {
	return safe.New("▲ A question of the kind " + string(q.Kind) + " needs a newer planb to be answered.")
}
