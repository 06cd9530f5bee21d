package planning_test

import (
	"strings"
	"testing"

	"planb/mcp/mcptest"
	"planb/plans/review"
	"planb/questions/safe"
)

func TestA13WhatSubmitPlanAnswers(t *testing.T) {
	t.Parallel()
	for want, said := range map[string]review.Review{
		`{"approved":true}`: {Verdict: review.Approve},
		`{"approved":true,"feedback":"# Plan review: approved with notes\n\nMind the tide.\n"}`: {Verdict: review.ApproveWithNotes, Note: safe.New("Mind the tide.")},
		`{"approved":false,"feedback":"# Plan review: changes requested\n\nDig <deeper>.\n"}`:   {Verdict: review.RequestChanges, Note: safe.New("Dig <deeper>.")},
		`{"approved":false,"feedback":"# Plan review: rejected\n\nNo harbour.\n"}`:              {Verdict: review.Reject, Note: safe.New("No harbour.")},
	} {
		a := mcptest.NewAuthor(t, nil)
		a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": mcptest.ReviewedPlan})
		call := a.StartTool("submit_plan", map[string]any{"planName": "harbour"})
		a.Settle(a.Opened(1)[0].ID, mcptest.Says(t, mcptest.ReviewedPlan, said))
		if got := a.Answer(call); got.IsError || got.Texts()[0] != want {
			t.Errorf("got %s, want %s", got.Texts()[0], want)
		}
	}
}

// Write, submit, change what was asked for, submit again.
func TestA18TheLoop(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	session := a.Session()
	a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": mcptest.ReviewedPlan, "sessionId": session})
	call := a.StartTool("submit_plan", map[string]any{"planName": "harbour"})
	first := a.Opened(1)[0]
	a.Settle(first.ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{
		Verdict: review.RequestChanges, Comments: []review.Comment{mcptest.Comment(t, mcptest.ReviewedPlan, 3, "How deep?")},
	}))
	if got := a.Answer(call).Texts()[0]; !strings.Contains(got, `### Line 3: comment (id c1)\n\n> 1. Dig.\n\nHow deep?\n`) {
		t.Fatalf("the first round gave %s", got)
	}
	mcptest.Until(t, "it is delivered", func() bool { return a.Delivered(first.ID) })

	a.Does(t, "edit_plan", map[string]any{"planName": "harbour", "oldString": "Dig.", "newString": "Dig 9 m deep."})
	call = a.StartTool("submit_plan", map[string]any{"planName": "harbour"})
	second := a.Opened(1)[0]
	of := second.Spec.Plan
	if second.Session != session || of.Number != 2 || of.Since != first.ID || of.Path != a.File("harbour") {
		t.Errorf("the second round is about %+v of session %s", of, second.Session)
	}
	a.Settle(second.ID, mcptest.Says(t, strings.Replace(mcptest.ReviewedPlan, "Dig.", "Dig 9 m deep.", 1), review.Review{Verdict: review.Approve}))
	if got := a.Answer(call); got.Texts()[0] != `{"approved":true}` || !strings.HasPrefix(got.Texts()[1], "The user has approved version 2 of the plan") {
		t.Errorf("the second round gave %q", got.Text())
	}
}
