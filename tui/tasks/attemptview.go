package tasks

import (
	"fmt"
	"slices"
	"time"

	"planb/questions/safe"
	kept "planb/store/tasks"
	"planb/tui/cells"
	"planb/tui/wording"
)

// drawAttempts tells who worked on the task, the newest first.
func (t *Task) drawAttempts(s *sheet) {
	if len(t.past.Attempts) == 0 {
		return
	}
	s.section("Attempts")
	if older := t.past.Count - len(t.past.Attempts); older > 0 {
		defer func() { s.say(s.st.Faint, wording.Count(older, "older attempt")) }()
	}
	for i, a := range slices.Backward(t.past.Attempts) {
		number := t.past.Count - len(t.past.Attempts) + i + 1
		left := s.st.Muted.Render(fmt.Sprintf("%d  ", number)) + s.st.Text.Render(safe.New(a.Worker).Line()) + s.st.Muted.Render(cells.Gap+ended(a))
		s.lines = append(s.lines, cells.Sides(left, s.st.Faint.Render(span(a, t.deps.Now())), s.width))
		notes := a.Notes
		if last := i == len(t.past.Attempts)-1; last && len(notes) > 0 && t.plan.unanswered(t.n) {
			notes = notes[:len(notes)-1] // drawQuestion shows it
		}
		for _, note := range notes {
			s.text(s.st.Muted, "   ", note.Text)
		}
		if !a.Comment.Blank() {
			s.text(s.st.Note, s.st.Note.Render("   You: "), a.Comment)
		}
	}
	for _, late := range t.past.Late {
		s.say(s.st.Warning, fmt.Sprintf("A late report of %s, %s, did not count.", safe.New(late.Worker).Line(), wording.Ago(late.At, t.deps.Now())))
		if late.Report != nil {
			s.text(s.st.Muted, "   ", late.Report.Summary)
		}
	}
}

// span says when an attempt was, and how long it took.
func span(a kept.Attempt, now time.Time) string {
	if a.Ended.IsZero() {
		return "since " + wording.Lasted(now.Sub(a.At))
	}
	return cells.Join(wording.Moment(a.At, now), wording.Lasted(a.Ended.Sub(a.At)))
}

// ended says how an attempt ended.
func ended(a kept.Attempt) string {
	switch a.End {
	case "":
		return "in work"
	case kept.EndedByAgent:
		return "given back"
	case kept.EndedByLease:
		return "silent for too long"
	case kept.EndedByExit:
		return "its program ended"
	case kept.EndedStuck:
		return "stuck, needs you"
	case kept.EndedReported:
		return "reported"
	case kept.EndedDone:
		return "done"
	case kept.EndedAccepted:
		return "you accepted it"
	case kept.EndedSentBack:
		return "you sent it back"
	case kept.EndedByRelease:
		return "you released it"
	case kept.EndedByCancel:
		return "you cancelled it"
	case kept.EndedByFinish:
		return "you did it"
	case kept.EndedUnreadable:
		return "its claim was lost"
	}
	return safe.New(string(a.End)).Line()
}
