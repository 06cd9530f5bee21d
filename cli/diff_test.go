package cli

import (
	"testing"

	"planb/plans"
	"planb/store"
)

// Without versions named, those are compared that show what last changed in one of the
// session's plans.
func TestWhichVersionsAreCompared(t *testing.T) {
	var versions []store.Plan
	for i, name := range []plans.Name{"alpha", "beta", "alpha", "gamma"} {
		versions = append(versions, store.Plan{Version: plans.Version{Number: i + 1, Name: name}})
	}
	for _, test := range []struct {
		plan         int
		names        []string
		older, newer int // 0: refused
	}{
		{0, nil, 1, 3},
		{3, nil, 1, 3},
		{2, nil, 0, 0},
		{0, []string{"2"}, 2, 4},
		{0, []string{"2", "3"}, 2, 3},
	} {
		older, newer, err := chosenVersions(named{plan: test.plan}, versions, test.names)
		if older.Number != test.older || newer.Number != test.newer || (err != nil) != (test.older == 0) {
			t.Errorf("v%d, %q: v%d and v%d, %v", test.plan, test.names, older.Number, newer.Number, err)
		}
	}
	if _, _, err := chosenVersions(named{}, versions[:2], nil); err == nil {
		t.Error("two plans with one version each are compared")
	}
}
