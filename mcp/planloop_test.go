package mcp_test

import (
	"strings"
	"testing"

	"planb/plans/review"
	"planb/questions/safe"
)

func TestA13WhatSubmitPlanAnswers(t *testing.T) {
	for want, said := range map[string]review.Review{
		`{"approved":true}`: {Verdict: review.Approve},
		`{"approved":true,"feedback":"# Plan review: approved with notes\n\nMind the tide.\n"}`: {Verdict: review.ApproveWithNotes, Note: safe.New("Mind the tide.")},
		`{"approved":false,"feedback":"# Plan review: changes requested\n\nDig <deeper>.\n"}`:   {Verdict: review.RequestChanges, Note: safe.New("Dig <deeper>.")},
		`{"approved":false,"feedback":"# Plan review: rejected\n\nNo harbour.\n"}`:              {Verdict: review.Reject, Note: safe.New("No harbour.")},
	} {
		a := newAuthor(t, nil)
		a.does(t, "write_plan", map[string]any{"planName": "harbour", "content": reviewedPlan})
		call := a.startTool("submit_plan", map[string]any{"planName": "harbour"})
		a.settle(a.opened(1)[0].ID, says(t, reviewedPlan, said))
		if got := a.answer(call); got.IsError || got.texts()[0] != want {
			t.Errorf("got %s, want %s", got.texts()[0], want)
		}
	}
}

// Write, submit, change what was asked for, submit again.
func TestA18TheLoop(t *testing.T) {
	a := newAuthor(t, nil)
	session := a.session()
	a.does(t, "write_plan", map[string]any{"planName": "harbour", "content": reviewedPlan, "sessionId": session})
	call := a.startTool("submit_plan", map[string]any{"planName": "harbour"})
	first := a.opened(1)[0]
	a.settle(first.ID, says(t, reviewedPlan, review.Review{
		Verdict: review.RequestChanges, Comments: []review.Comment{comment(t, reviewedPlan, 3, "How deep?")},
	}))
	if got := a.answer(call).texts()[0]; !strings.Contains(got, `### Line 3: comment (id c1)\n\n> 1. Dig.\n\nHow deep?\n`) {
		t.Fatalf("the first round gave %s", got)
	}
	until(t, "it is delivered", func() bool { return a.delivered(first.ID) })

	a.does(t, "edit_plan", map[string]any{"planName": "harbour", "oldString": "Dig.", "newString": "Dig 9 m deep."})
	call = a.startTool("submit_plan", map[string]any{"planName": "harbour"})
	second := a.opened(1)[0]
	of := second.Spec.Plan
	if second.Session != session || of.Number != 2 || of.Since != first.ID || of.Path != a.file("harbour") {
		t.Errorf("the second round is about %+v of session %s", of, second.Session)
	}
	a.settle(second.ID, says(t, strings.Replace(reviewedPlan, "Dig.", "Dig 9 m deep.", 1), review.Review{Verdict: review.Approve}))
	if got := a.answer(call); got.texts()[0] != `{"approved":true}` || !strings.HasPrefix(got.texts()[1], "The user has approved version 2 of the plan") {
		t.Errorf("the second round gave %q", got.text())
	}
}
