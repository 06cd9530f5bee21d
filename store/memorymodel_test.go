package store_test

import (
	"slices"

	"pgregory.net/rapid"

	"planb/questions"
	"planb/store"
)

// The memory's part of the model: what was answered in each project, the newest
// last.

// remembered lists the asks with answers of a project that the store can find.
func (m *model) remembered(project string) []*modelAsk {
	var list []*modelAsk
	for _, ask := range m.settled {
		if project != "" && ask.session.project == project && ask.state == questions.Answered && slices.Contains(m.asks, ask) {
			list = append(list, ask)
		}
	}
	return list
}

// memories counts the index entries.
func (m *model) memories() int { return len(m.remembered("/p")) + len(m.remembered("/q")) }

// checkMemory compares the earlier answers for a form in each session.
func (m *machine) checkMemory(t *rapid.T, s *store.Store) {
	for _, session := range m.sessions {
		list := m.remembered(session.project)
		for title, without := range map[string]string{"another": "", "the last again": lastID(list)} {
			spec := form(title)
			spec.Questions = append(spec.Questions, questions.Question{ID: "new", Kind: questions.Text, Label: spec.Title})
			got, err := s.EarlierAnswers(m.ctx, store.Ask{ID: without, Session: session.id, Spec: spec})
			if err != nil {
				t.Fatal(err)
			}
			var want *modelAsk
			for _, ask := range list {
				if ask.id != without {
					want = ask
				}
			}
			if want == nil {
				if len(got) > 0 {
					t.Fatalf("in %q something was answered before: %+v", session.project, got)
				}
				continue
			}
			text, _ := got["why"].Answer.Text()
			items, _ := got["how"].Answer.Items()
			if len(got) != 2 || text != want.text || got["why"].Ask != want.id || got["why"].Session.ID != want.session.id ||
				got["how"].Ask != want.id || !slices.Equal(items, []string{"by hand", "by machine"}) {
				t.Fatalf("answered before in %q: %+v, want %+v", session.project, got, want)
			}
		}
	}
}

func lastID(asks []*modelAsk) string {
	if len(asks) == 0 {
		return ""
	}
	return asks[len(asks)-1].id
}
