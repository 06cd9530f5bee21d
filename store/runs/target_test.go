package runs_test

import (
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/store/runs"
)

// V16: a plan is written without its look back, and another one looks back at it.
func TestV16APlanValidatesAnother(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	parent := w.create(t, func(r *runs.Request) { r.Target = drafts.BuildPlan })
	validate := runs.Request{Session: session, Target: drafts.ValidatePlan, Parent: parent.ID, Dedup: dedupTime}
	_, _, err := w.Create(ctx, codex, validate)
	wantCode(t, err, runs.InvalidArgument)
	built := w.write(t, parent.ID, "")
	if built.State != runs.Completed || built.Of != 10 || built.Draft.Output("summary") != nil {
		t.Fatalf("built: %+v", built.Summary)
	}
	p, there, err := w.Create(ctx, codex, validate)
	if err != nil || there || p.Of != 2 || p.Done != 0 || p.State != runs.Pending || p.Start != built.Start || p.Title != built.Title {
		t.Fatalf("begun: %+v, %v, %v", p, there, err)
	}
	if again, there, err := w.Create(ctx, codex, validate); err != nil || !there || again.ID != p.ID {
		t.Errorf("again: %s, %v, %v", again.ID, there, err)
	}
	now := w.read(t, p.ID)
	facts := now.Draft.Records["facts"]
	if facts.SHA256 != built.Draft.Records["facts"].SHA256 || now.Draft.Prompt != built.Draft.Prompt {
		t.Errorf("the facts are %+v", facts)
	}
	_, _, err = w.Edit(ctx, person, runs.Edit{Plan: p.ID, Step: "facts", SHA256: facts.SHA256, Output: facts.Output})
	wantCode(t, err, runs.PermissionDenied)
	_, err = w.Accept(ctx, codex, answer(t, now, draftstest.Step(t, now.Draft, "facts")))
	if err == nil {
		t.Error("a section of the validated plan was written again")
	}
	w.editBrief(t, parent.ID, "Open a workshop that is smaller.") // is a snapshot
	if next, there, err := w.Create(ctx, codex, validate); err == nil {
		t.Errorf("a plan that is to be written again is validated by %s (%v)", next.ID, there)
	}
	done := w.write(t, p.ID, "")
	if done.State != runs.Completed || done.Done != 2 || done.Draft.Output("summary") == nil {
		t.Errorf("validated: %+v", done.Summary)
	}
	_, _, err = w.Resume(ctx, codex, p.ID, runs.Resumption{Detail: drafts.Full})
	wantCode(t, err, runs.PlanNotResumable)
	_, _, err = w.Create(ctx, codex, runs.Request{Session: session, Target: drafts.ValidatePlan, Parent: p.ID})
	wantCode(t, err, runs.InvalidArgument)
	_, _, err = w.Create(ctx, codex, runs.Request{Prompt: built.Draft.Prompt, Session: session, Detail: drafts.Brief, Start: built.Draft.Start, Parent: parent.ID})
	wantCode(t, err, runs.InvalidArgument)
	w.sound(t)
	if err := w.DropSession(ctx, session); err != nil {
		t.Fatal(err)
	}
	w.sound(t)
}

// V16, V9: a retry of a validation leaves alone what it validates.
func TestV16ARetryKeepsWhatIsValidated(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	parent := w.create(t, nil)
	w.write(t, parent.ID, "")
	p, _, err := w.Create(ctx, codex, runs.Request{Session: session, Target: drafts.ValidatePlan, Parent: parent.ID})
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, p.ID, "summary")
	if _, _, err := w.Stop(ctx, person, p.ID, "lunch"); err != nil {
		t.Fatal(err)
	}
	got, err := w.Retry(ctx, codex, p.ID, "")
	if err != nil || got.Done != 0 || got.Draft.Output("premortem") != nil || got.Draft.Output("facts") == nil {
		t.Errorf("retried: %+v, %v", got.Summary, err)
	}
	if done := w.write(t, p.ID, ""); done.State != runs.Completed || done.Number != 2 {
		t.Errorf("written anew: %+v", done.Summary)
	}
}

// V7, V9: a run that has ended is kept beside the one that followed it.
func TestV9EarlierRunsAreKept(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, nil)
	w.write(t, p.ID, "risks")
	for n := range 7 {
		if _, err := w.Fail(ctx, codex, p.ID, runs.Failure{Reason: runs.GenerationError, Step: "risks", Message: "no", Recoverable: true}); err != nil {
			t.Fatal(err)
		}
		if got, err := w.Retry(ctx, codex, p.ID, ""); err != nil || got.Number != n+2 {
			t.Fatalf("run %d, %v", got.Number, err)
		}
	}
	got := w.read(t, p.ID)
	if len(got.Earlier) != 5 || got.Earlier[0].Number != 7 || got.Earlier[4].Number != 3 || got.Earlier[0].State != runs.Failed || got.Earlier[0].Error.Step != "risks" {
		t.Errorf("earlier runs are %+v", got.Earlier)
	}
	done := w.write(t, p.ID, "")
	w.editBrief(t, p.ID, "Open a workshop that is smaller.")
	if got := w.read(t, p.ID).Earlier[0]; got.State != runs.Completed || got.Done != done.Of {
		t.Errorf("the completed run is kept as %+v", got)
	}
	w.sound(t)
}

// X4, T8: a plan whose worker died fails as far as anybody sees, and goes on from there.
func TestX4ADeadWorkersPlanGoesOn(t *testing.T) {
	ctx := t.Context()
	for _, way := range []string{"resume", "retry"} {
		w := newWorld()
		p := w.create(t, func(r *runs.Request) { r.Profile = "baseline" })
		held, err := w.claims.Hold(ctx, runs.WorkerClaim(p.ID), "a worker")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Begin(ctx, codex, held, p.ID); err != nil {
			t.Fatal(err)
		}
		if err := held.Release(ctx); err != nil {
			t.Fatal(err)
		}
		var got runs.Whole
		by := runs.ByAgent
		if way == "resume" {
			got, _, err = w.Resume(ctx, codex, p.ID, runs.Resumption{})
		} else {
			got, err = w.Retry(ctx, codex, p.ID, "")
			by = runs.ByWorker // who thought before
		}
		if err != nil || got.State != runs.Pending || got.Mode != by {
			t.Errorf("%s: %+v, %v", way, got.Summary, err)
		}
	}
}
