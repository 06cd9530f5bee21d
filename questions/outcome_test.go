package questions_test

import (
	"errors"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
)

// TestSettle goes through all pairs of states.
func TestSettle(t *testing.T) {
	const (
		next    = "next"    // the later outcome holds
		same    = "same"    // the earlier outcome holds, without an error
		settled = "settled" // the earlier outcome holds, and the later writer gets a SettledError
		never   = "never"   // an ask cannot take this step
	)
	states := []questions.State{"pending", "expired", "answered", "discuss", "declined", "withdrawn", "unknown"}
	table := map[questions.State][]string{
		//           pending  expired  answered discuss  declined withdrawn unknown
		"":          {never, next, next, next, next, next, never},
		"pending":   {never, next, next, next, next, next, never},
		"expired":   {never, same, next, next, next, next, never},
		"answered":  {settled, settled, settled, settled, settled, settled, settled},
		"discuss":   {settled, settled, settled, settled, settled, settled, settled},
		"declined":  {settled, settled, settled, settled, settled, settled, settled},
		"withdrawn": {settled, settled, settled, settled, settled, settled, settled},
		"unknown":   {never, never, never, never, never, never, never},
	}
	for from, row := range table {
		for i, to := range states {
			now := questions.Outcome{State: from, By: "first"}
			got, err := questions.Settle(now, questions.Outcome{State: to, By: "second"})
			var late *questions.SettledError
			result := never
			switch {
			case err == nil && got.By == "second" && got.State == to:
				result = next
			case err == nil && got.By == "first" && got.State == from:
				result = same
			case errors.As(err, &late) && late.Winner.By == "first" && late.Winner.State == from && got.By == "first":
				result = settled
			case err == nil || got.By != "first":
				t.Errorf("%q to %q: got %+v, %v", from, to, got, err)
			}
			if result != row[i] {
				t.Errorf("%q to %q: %s, want %s", from, to, result, row[i])
			}
		}
	}
}

func TestFinalStates(t *testing.T) {
	for state, want := range map[questions.State]bool{
		"": false, "pending": false, "expired": false, "answered": true, "discuss": true, "declined": true, "withdrawn": true,
	} {
		if state.Final() != want {
			t.Errorf("%q: final %v, want %v", state, !want, want)
		}
	}
}

func TestSettledErrorNamesTheWinner(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		winner questions.Outcome
		want   string
	}{
		{questions.Outcome{State: questions.Answered, By: "you@box", At: at}, "this question was already answered by you@box at 2026-11-20 09:30:00 UTC"},
		{questions.Outcome{State: questions.Discuss, Message: safe.New("m")}, "this question was already answered with a message instead"},
		{questions.Outcome{State: questions.Declined, By: "a\x1b[31mb"}, "this question was already declined by a␛[31mb"},
		{questions.Outcome{State: questions.Withdrawn, At: at}, "this question was withdrawn by the agent at 2026-11-20 09:30:00 UTC"},
		{questions.Outcome{State: questions.Withdrawn, At: at, By: "you@desk", Message: safe.New("By me.")}, "this question was withdrawn by you@desk at 2026-11-20 09:30:00 UTC"},
	} {
		if got := (&questions.SettledError{Winner: c.winner}).Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
