package wording

import (
	"errors"
	"testing"

	"planb/store"
)

// A person whose form is gone, as after going back to a backup, reads no id of it.
func TestRefused(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"this form is no longer in the store, as when you go back to a backup": &store.UnknownError{What: "ask", ID: "x"},
		`there is no session "x" in this store`:                                &store.UnknownError{What: "session", ID: "x"},
		"the disk is full":                                                     errors.New("the disk is full"),
	} {
		if got := Refused(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
