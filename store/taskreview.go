package store

import (
	"context"
	"errors"
	"fmt"

	"planb/plans"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store/tasks"
)

// TasksPlan is the name under which a session keeps what a person read of a plan of
// tasks. No plan that is a file can have it.
func TasksPlan(id string) plans.Name { return plans.Name("tasks/" + id) }

// ReviewTasks returns the ask in which a person approves a proposed plan of tasks, to be
// opened with OpenAsk. It first keeps the text that the person is to read as a version
// of the plan's session. A plan without a session becomes one of the session that is
// given. done has the ids of comments of the last review that are carried out.
//
// Called again for the same plan it returns the same ask, so that OpenAsk joins an open
// review. A text that is too long to be read is a *tasks.Error.
func (s *Store) ReviewTasks(ctx context.Context, by tasks.Caller, w tasks.Whole, session string, done ...string) (Ask, error) {
	text, err := s.tasks.Text(ctx, w)
	if err != nil {
		return Ask{}, err
	}
	if size := len(text.Raw()); size > rules.MaxMarkdownBytes {
		return Ask{}, rules.InvalidBecause("", fmt.Sprintf("the plan has %d bytes as a person reads it; at most %d are allowed. Split it into plans that can be read", size, rules.MaxMarkdownBytes))
	}
	if w.Session == "" {
		if w, err = s.moveTasks(ctx, by, w, session); err != nil {
			return Ask{}, err
		}
	}
	name := TasksPlan(w.ID)
	version, err := s.taskVersion(ctx, w, name, text)
	if err != nil {
		return Ask{}, err
	}
	last, err := s.LastReview(ctx, w.Session, name)
	if err != nil {
		return Ask{}, err
	}
	return Ask{
		Session: w.Session, Subject: Subject{Kind: tasks.SubjectKind, ID: tasks.SubjectOf(w)},
		Spec: questions.ReviewOf(w.Title, questions.PlanRef{
			Name: string(name), Number: version.Number, Digest: version.Digest, Since: last.ID, Done: done,
		}),
	}, nil
}

// moveTasks makes a proposed plan one of the session.
func (s *Store) moveTasks(ctx context.Context, by tasks.Caller, w tasks.Whole, session string) (tasks.Whole, error) {
	if session == "" {
		return w, errors.New("a plan of tasks is reviewed in a session, and this one has none")
	}
	list, err := s.tasks.Tasks(ctx, w)
	if err != nil {
		return w, err
	}
	same := rules.Plan{Title: w.Graph.Title(), Description: w.Graph.Description(), Tasks: list}
	moved, err := s.tasks.Propose(ctx, by, tasks.Proposal{Proposal: same.Proposal(), Session: session, Replaces: w.ID})
	return moved.Whole, err
}

// taskVersion returns the latest version of the plan in its session if it has the text,
// else a new one.
func (s *Store) taskVersion(ctx context.Context, w tasks.Whole, name plans.Name, text safe.Text) (Plan, error) {
	versions, err := s.Plans(ctx, w.Session)
	if err != nil {
		return Plan{}, err
	}
	var last Plan
	for _, version := range versions {
		if version.Err == nil && version.Name == name {
			last = version
		}
	}
	if last.Number > 0 && last.Digest == plans.Digest(text) {
		return last, nil
	}
	saved, _, err := s.savePlan(ctx, w.Session, text.Raw(), plans.Version{Name: name})
	return saved, err
}
