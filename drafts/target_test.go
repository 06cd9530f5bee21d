package drafts_test

import (
	"slices"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
)

func ids(steps []drafts.Step) (list []string) {
	for _, s := range steps {
		list = append(list, s.ID)
	}
	return list
}

// V16: what each target writes.
func TestV16Targets(t *testing.T) {
	t.Parallel()
	look := []string{"review", "premortem", "summary", "audit", "lint"}
	for _, detail := range []drafts.Detail{drafts.Brief, drafts.Full} {
		all := drafts.Draft{Detail: detail}
		build, validate := drafts.Draft{Detail: detail, Target: drafts.BuildPlan}, drafts.Draft{Detail: detail, Target: drafts.ValidatePlan}
		for _, s := range drafts.Steps(detail) {
			back := slices.Contains(look, s.ID)
			_, built := build.Step(s.ID)
			_, validated := validate.Step(s.ID)
			if !all.Writes(s) || build.Writes(s) == back || built == back || validate.Writes(s) != back || !validated {
				t.Errorf("%s: %s is written by build_plan %v, by validate_plan %v", detail, s.ID, build.Writes(s), validate.Writes(s))
			}
		}
		_, whole := all.Progress()
		_, first := build.Progress()
		_, second := validate.Progress()
		if first+second != whole || second == 0 {
			t.Errorf("%s: %d and %d steps of %d", detail, first, second, whole)
		}
	}
}

// V16: the steps of another draft count as they are, whatever they were written from.
func TestV16WhatIsTakenFromAnotherDraftIsClean(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "premortem")
	d.Target = drafts.ValidatePlan
	d.Start = d.Start.AddDays(1)
	if got := ids(d.ReadySteps()); !slices.Equal(got, []string{"premortem"}) {
		t.Errorf("ready are %v", got)
	}
	text, err := d.Frame(drafts.Ask{Step: "premortem", Lease: "x", Limit: drafts.FrameLimit})
	if err != nil || !strings.HasPrefix(text, "STEP 1/2 premortem · ") {
		t.Errorf("the frame begins with %.60q, %v", text, err)
	}
}
