package tasks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/wording"
)

// drawQuestion shows what the agent of a task without a report said last.
func (t *Task) drawQuestion(s *sheet) {
	if !t.plan.unanswered(t.n) {
		return
	}
	attempt := t.plan.unreported[t.n]
	s.section("What its agent says")
	s.lines = append(s.lines, "")
	if said := attempt.Said(); !said.Blank() {
		bar, card := s.st.Role(themes.RoleOfTask(rules.NeedsReview)), &sheet{st: s.st, width: s.width - cardCells}
		card.say(s.st.Strong, cells.Join(safe.New(attempt.Worker).Line(), wording.Ago(attempt.Ended, t.deps.Now())))
		card.text(s.st.Text, "", said)
		s.lines = append(s.lines, s.st.Card(bar, card.lines, s.width)...)
		s.lines = append(s.lines, "")
		s.say(s.st.Faint, notReported)
		return
	}
	s.say(s.st.Text, t.plan.said(t.n)+". "+notReported)
}

// drawReport shows the report that waits for the person, or else the last one.
func (t *Task) drawReport(s *sheet) {
	for _, a := range slices.Backward(t.past.Attempts) {
		if a.Report == nil {
			continue
		}
		s.section("As reported")
		bar, who := s.st.Role(themes.RoleOfTask(t.plan.view.State(t.n))), safe.New(a.Worker).Line()
		card := &sheet{st: s.st, width: s.width - cardCells}
		card.say(s.st.Strong, cells.Join(who, wording.Ago(a.Ended, t.deps.Now())))
		drawEvidence(card, *a.Report, t.task().Verification.Criteria)
		if head := repository(a); head != "" {
			card.say(s.st.Faint, head)
		}
		s.lines = append(s.lines, "")
		s.lines = append(s.lines, s.st.Card(bar, card.lines, s.width)...)
		s.lines = append(s.lines, "")
		s.say(s.st.Faint, "This is what the agent says. planb ran and verified none of it.")
		return
	}
}

// cardCells is how much wider a card is than its text.
const cardCells = 3

// drawEvidence draws a report: what was done, and the evidence for it.
func drawEvidence(s *sheet, report rules.Report, criteria []safe.Text) {
	s.text(s.st.Text, "", report.Summary)
	for _, proof := range report.Evidence {
		switch {
		case !proof.Command.Blank():
			code := "no exit code"
			style := s.st.Warning
			if proof.ExitCode != nil {
				code = fmt.Sprintf("exit %d", *proof.ExitCode)
				if style = s.st.Danger; *proof.ExitCode == 0 {
					style = s.st.Success
				}
			}
			s.lines = append(s.lines, cells.Sides(s.st.Muted.Render("$ ")+s.st.Text.Render(proof.Command.Line()), style.Render(code), s.width))
		case proof.Criterion != "":
			s.text(s.st.Muted, s.st.Muted.Render("• "), criterionOf(proof.Criterion, criteria))
		}
		if !proof.Text.Blank() {
			s.text(s.st.Text, "  ", proof.Text)
		}
		if proof.Output != nil {
			const most = 4
			output := markdown.Plain(safe.New(strings.TrimSpace(*proof.Output)), max(s.width-2, 1)).Lines
			for _, line := range output[max(len(output)-most, 0):] {
				s.lines = append(s.lines, "  "+s.st.Faint.Render(line))
			}
		}
	}
}

// criterionOf returns the criterion that a report names by its number from 1, or by its text.
func criterionOf(name string, criteria []safe.Text) safe.Text {
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(criteria) {
		return criteria[n-1]
	}
	return safe.New(name)
}

// repository says between which commits an attempt worked.
func repository(a kept.Attempt) string {
	short := func(head string) string { return safe.New(head[:min(len(head), 8)]).Line() }
	switch {
	case a.Completed.Head == "":
		return ""
	case a.Claimed.Head == a.Completed.Head:
		return cells.Join("no new commit: "+short(a.Completed.Head), safe.New(a.Completed.Branch).Line())
	case a.Claimed.Head == "":
		return cells.Join(short(a.Completed.Head), safe.New(a.Completed.Branch).Line())
	}
	return cells.Join(short(a.Claimed.Head)+" → "+short(a.Completed.Head), safe.New(a.Completed.Branch).Line())
}
