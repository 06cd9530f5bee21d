package timeline

import (
	"context"
	"iter"
	"slices"
	"sort"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Texts is what Details needs of the store.
type Texts interface {
	WholeAsks(ctx context.Context, sessions ...string) iter.Seq2[store.Ask, error]
	WholePlans(ctx context.Context, ids ...store.PlanID) iter.Seq2[store.WholePlan, error]
	PlanAsBefore(ctx context.Context, session string, older, newer int) (safe.Text, error)
}

// Detail is what can be told of a version only from its text.
type Detail struct {
	Plan    int       // the version's number
	Heading safe.Text // the first heading of its text, if it has one
	// Counted reports whether Added and Removed are known. They need the
	// version before, too; the first version is compared with an empty text.
	Counted        bool
	Added, Removed int // lines, without those that only moved with their section
	Citations      []Citation
	Err            error // why the text cannot be read; the other fields are unknown then
}

// Citation is a citation in a version, with the ask it leads to. Label and Said are short:
// they stand in a line.
type Citation struct {
	plans.Citation
	Ask   string // the ask's id; empty if no ask answered before the version has that question
	Label string // of the question
	Said  string // the answer, with options by their labels; empty if it was left open
}

// Cited reads the citations in versions of a session's plan, by the questions that they cite. texts
// holds the versions by their numbers; the store is read only if one of them cites something. Of
// answers that changed between the versions it has the newest, and those that cannot be read it
// leaves out.
func Cited(ctx context.Context, from interface {
	Source
	Texts
}, session string, texts map[int]safe.Text) map[string]Citation {
	var numbers []int
	for number, text := range texts {
		if len(plans.Citations(text)) > 0 {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	story, err := Read(ctx, from, session)
	if err != nil {
		return nil
	}
	cited := map[string]Citation{}
	for detail, err := range story.Details(ctx, from, numbers...) {
		if err != nil {
			break
		}
		for _, c := range detail.Citations {
			if _, newer := cited[c.Question]; !newer && c.Ask != "" { // the highest number comes first
				cited[c.Question] = c
			}
		}
	}
	return cited
}

// Details reads the texts of the versions with these numbers and yields what they say, the
// highest number first. It keeps only a few texts in memory, and leaves out numbers that the
// store does not have. A Detail never changes, so a caller keeps it and asks only for new
// versions. An error ends the sequence.
func (s *Story) Details(ctx context.Context, from Texts, numbers ...int) iter.Seq2[Detail, error] {
	return func(yield func(Detail, error) bool) {
		answers := questionIndex{story: s, from: from}
		for v, err := range s.versions(ctx, from, numbers) {
			var detail Detail
			if err == nil {
				detail, err = v.detail(ctx, &answers)
			}
			if !yield(detail, err) || err != nil {
				return
			}
		}
	}
}

// version is a version with the one before it of the same plan.
type version struct {
	store.WholePlan
	before *store.WholePlan // nil if there is none, or if it cannot be read
	first  bool             // there is none
}

// versions yields the versions with these numbers, the highest first. It reads each text one
// time, and forgets it once it was compared.
func (s *Story) versions(ctx context.Context, from Texts, numbers []int) iter.Seq2[version, error] {
	type pair struct {
		number, before int
		first          bool
	}
	var pairs []pair
	var ids []store.PlanID
	listed := map[int]bool{0: true}
	for _, number := range slices.Compact(slices.SortedFunc(slices.Values(numbers), func(a, b int) int { return b - a })) {
		before, known := store.PlanBefore(s.Plans, number)
		if !known {
			before = 0 // it may be of another plan
		}
		pairs = append(pairs, pair{number, before, known && before == 0})
		for _, n := range []int{number, before} {
			if !listed[n] {
				ids = append(ids, store.PlanID{Session: s.Session.ID, Number: n})
			}
			listed[n] = true
		}
	}
	return func(yield func(version, error) bool) {
		texts, rest := map[int]*store.WholePlan{0: nil}, pairs
		for plan, err := range from.WholePlans(ctx, ids...) {
			if err != nil {
				yield(version{}, err)
				return
			}
			texts[plan.Number] = &plan
			for len(rest) > 0 {
				this, before := texts[rest[0].number], texts[rest[0].before]
				if this == nil || before == nil && rest[0].before > 0 {
					break // it comes, or does not exist
				}
				if !yield(version{*this, before, rest[0].first}, nil) {
					return
				}
				delete(texts, rest[0].number)
				rest = rest[1:]
			}
		}
		for _, p := range rest {
			if this := texts[p.number]; this != nil && !yield(version{*this, texts[p.before], p.first}, nil) {
				return
			}
		}
	}
}

func (v version) detail(ctx context.Context, answers *questionIndex) (Detail, error) {
	detail := Detail{Plan: v.Number, Err: v.Err}
	if v.Err != nil {
		return detail, nil
	}
	// Cloned, because a substring keeps the whole text in memory.
	detail.Heading = safe.New(strings.Clone(plans.Heading(v.Text).Raw()))
	before, known := "", v.first
	if v.before != nil && v.before.Err == nil {
		before, known = v.before.Text.Raw(), true
		if store.IsTasksPlan(v.Name) {
			text, err := answers.from.PlanAsBefore(ctx, v.Session, v.before.Number, v.Number)
			if err != nil && !store.AboutOneRecord(err) {
				return Detail{}, err
			}
			before, known = text.Raw(), err == nil
		}
	}
	if known {
		stat := diff.Between(before, v.Text.Raw()).Stat()
		detail.Counted, detail.Added, detail.Removed = true, stat.New(), stat.Gone()
	}
	for _, citation := range plans.Citations(v.Text) {
		found, err := answers.answeredBefore(ctx, v.Number, citation.Question)
		if err != nil {
			return Detail{}, err
		}
		citation.Question = strings.Clone(citation.Question)
		found.Citation = citation
		detail.Citations = append(detail.Citations, found)
	}
	return detail, nil
}

// questionIndex finds asks by their questions. It reads the questions when they are
// first needed.
type questionIndex struct {
	story *Story
	from  Texts
	found map[string][]answered // by question: where it was answered, in the story's order
}

// answered is a question that was answered at a place in the story.
type answered struct {
	place       int
	label, said string
}

// answeredBefore returns the ask, the question and the answer of the last ask with that
// question that was answered before the version; empty if there is none.
func (a *questionIndex) answeredBefore(ctx context.Context, number int, question string) (Citation, error) {
	if a.found == nil {
		if err := a.read(ctx); err != nil {
			return Citation{}, err
		}
	}
	saved, ok := a.story.FindPlan(number)
	all := a.found[question]
	i := sort.Search(len(all), func(i int) bool { return all[i].place >= saved })
	if !ok || i == 0 {
		return Citation{}, nil
	}
	last := all[i-1]
	return Citation{Ask: a.story.Events[last.place].Ask, Label: last.label, Said: last.said}, nil
}

func (a *questionIndex) read(ctx context.Context) error {
	found := map[string][]answered{}
	for ask, err := range a.from.WholeAsks(ctx, a.story.Session.ID) {
		if err != nil {
			return err
		}
		place, ok := a.story.FindAsk(ask.ID)
		state := ask.Outcome.State
		if !ok || ask.Err != nil || state != questions.Answered && state != questions.Discuss {
			continue
		}
		for _, question := range ask.Spec.Questions {
			var said []string
			for _, part := range question.InWords(ask.Outcome.Reply.Answers[question.ID]) {
				said = append(said, part.Line())
			}
			found[question.ID] = append(found[question.ID], answered{place, short(question.Label.Line()), short(strings.Join(said, ", "))})
		}
	}
	for _, list := range found {
		slices.SortStableFunc(list, func(x, y answered) int { return x.place - y.place })
	}
	a.found = found
	return nil
}

// short cuts a line to what a citation shows at most, so that an index of long answers stays
// small.
func short(line string) string {
	const most = 60
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return strings.Clone(line)
}
