package scripts_test

import (
	"github.com/rogpeppe/go-internal/testscript"

	"planb/e2e/rig"
	"planb/store"
)

// history fills the store with three sessions. In one everything happened; its
// asks are in $ANSWERED, $DECLINED and $OPEN, their short ids in
// $ANSWERED_SHORT and so on. One has hostile texts. An older one has a plan
// that was reviewed in $REVIEW.
func history(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: history")
	}
	for variable, id := range rig.FillHistory(ts.Getenv("PLANB_DATA_DIR"), ts.Check) {
		ts.Setenv(variable, id)
		ts.Setenv(variable+"_SHORT", store.ShortID(id))
	}
}
