package runs_test

import (
	"testing"
	"time"

	"planb/store/kv/kvtest"
)

// A draft begins on the day of the person's own calendar: in the evening of 30 January in
// Los Angeles it is not yet 31 January, as it is in UTC.
func TestADraftBeginsOnThePersonsOwnDay(t *testing.T) {
	here := time.Local
	time.Local = time.FixedZone("PST", -8*60*60)
	t.Cleanup(func() { time.Local = here })
	w := worldOver(kvtest.NewMap(), &clock{now: time.Date(2027, 1, 31, 1, 0, 0, 0, time.UTC)})
	if got := w.Today().String(); got != "2027-01-30" {
		t.Errorf("today is %s", got)
	}
}
