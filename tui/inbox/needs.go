package inbox

import (
	"context"
	"slices"
	"strings"

	"planb/questions/safe"
	"planb/store"
	kept "planb/store/tasks"
	"planb/tui/cells"
	"planb/tui/preview"
	"planb/tui/tasks"
)

// ReadNeeds returns the plans of tasks that need the person. It leaves out plans that wait
// in a review already, because that review is among the forms.
func ReadNeeds(ctx context.Context, desk tasks.Deps, waiting []Waiting) ([]tasks.Need, error) {
	if desk.Store == nil {
		return nil, nil
	}
	needs, err := desk.Needs(ctx)
	for i, need := range needs {
		if slices.ContainsFunc(waiting, func(w Waiting) bool { return reviews(w, need.Plan.ID) }) {
			needs[i] = need.WithoutApproval()
		}
	}
	return slices.DeleteFunc(needs, func(n tasks.Need) bool { return n.Approve+n.Accept+n.Do == 0 }), err
}

// reviews reports whether a form reviews a plan of tasks.
func reviews(w Waiting, plan string) bool {
	return w.Ask.About() == kept.SubjectKind && strings.HasPrefix(w.Ask.Subject.ID, plan+"/")
}

// needRow is the row of a plan of tasks.
func (l *Screen) needRow(need tasks.Need) listRow {
	return listRow{
		mark: markLive, tone: toneOpen, title: need.Plan.Title.Line(),
		project: need.Project, state: need.Words(), when: l.ago(need.Plan.Updated),
	}
}

// previewNeed lists the tasks that need the person.
func previewNeed(p *preview.Lines, need tasks.Need) {
	st := p.Styles
	if !p.Tight() {
		p.Text(st.Title.Render, need.Plan.Title, 2)
		p.Say(st.Text.Render, cells.Join(need.Project, need.Words()), 1)
		p.Gap()
	}
	for _, task := range need.Tasks {
		p.Sides(st.Required.Render(markLive)+" "+st.Text.Render(task.Title), "", st.Muted.Render(task.Wants))
	}
}

// passesNeed reports whether a plan of tasks passes the filters.
func (s *listState) passesNeed(i int) bool {
	need := s.needs[i]
	like := store.Session{Title: need.Plan.Title, Project: safe.New(need.Project), Created: need.Plan.Created, Updated: need.Plan.Updated}
	return s.filter.query.Matches(like, func(status string) bool { return status == statusWaiting })
}

func (s *listState) needText(i int) rowText {
	need := s.needs[i]
	return rowText{ids: []string{need.Plan.ID}, strong: lowered(need.Plan.Title.Line(), need.Project), weak: lowered(need.Words())}
}

// ringsOf returns what the inbox rings for in a plan: each task that needs the person, and a
// plan that is proposed.
func ringsOf(need tasks.Need) []string {
	ids := make([]string, 0, len(need.Tasks)+1)
	if len(need.Tasks) == 0 {
		ids = append(ids, need.Plan.ID)
	}
	for _, task := range need.Tasks {
		ids = append(ids, task.ID+" "+task.Wants)
	}
	return ids
}

// needWords say in one line what plans of tasks need.
func needWords(needs []tasks.Need) string {
	words := make([]string, 0, len(needs))
	for _, need := range needs {
		const titleCells = 40
		words = append(words, cells.Join("Tasks: "+cells.Cut(need.Plan.Title.Line(), titleCells), need.Words()))
	}
	return strings.Join(words, "; ")
}
