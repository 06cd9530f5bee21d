package search

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"time"

	"planb/drafts"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
)

// DraftSource is what a search for drafts reads; *store.Store is one.
type DraftSource interface {
	Drafts() *runs.Store
	Session(ctx context.Context, id string) (store.Session, error)
}

// RunDrafts yields the drafts that match the query, the newest first, each in a step of its own:
// those whose title, prompt and sections have all of its words. After an error it stops; the error
// is ctx's if ctx ended. Run finds everything else.
func RunDrafts(ctx context.Context, from DraftSource, q Query) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		if q.Empty() || !q.wantsDrafts() {
			return
		}
		list, err := from.Drafts().List(ctx, nil, math.MaxInt)
		if err != nil {
			yield(Step{}, err)
			return
		}
		s := searcher{matcher: newMatcher(q)}
		for _, summary := range list {
			s.step = Step{}
			if err = ctx.Err(); err == nil {
				err = s.searchDraft(ctx, from, summary)
			}
			if !yield(s.step, err) || err != nil {
				return
			}
		}
	}
}

// searchDraft searches one draft. It finds nothing in a draft that goes with its deleted session.
func (s *searcher) searchDraft(ctx context.Context, from DraftSource, summary runs.Summary) error {
	if summary.Err != nil {
		s.unreadable(summary.Err)
		return nil
	}
	session, err := from.Session(ctx, summary.Session)
	if gone(err) {
		return nil
	}
	if err != nil && !store.AboutOneRecord(err) {
		return err
	}
	session.ID = summary.Session // the search of sessions tells of one that cannot be read
	if !s.matcher.query.inProject(session) {
		return nil
	}
	whole, err := from.Drafts().Plan(ctx, summary.ID)
	switch {
	case gone(err):
	case store.AboutOneRecord(err):
		s.unreadable(err)
	case err != nil:
		return err
	default:
		s.add(draftItem(session, whole), nil)
	}
	return nil
}

func gone(err error) bool { return errors.As(err, new(*store.UnknownError)) }

func draftItem(session store.Session, w runs.Whole) item {
	i := item{
		hit:    Hit{Session: session, Draft: w.Summary, At: changed(w)},
		client: []store.Client{session.Client},
		fields: []field{
			{field: FieldTitle, kind: kindDraft, text: w.Title.Raw()},
			{field: FieldPrompt, kind: kindDraft, text: w.Draft.Prompt},
		},
	}
	for _, step := range w.Draft.Steps() {
		if by := w.Draft.Records[step.ID].By; by != "" && step.Author == drafts.Model {
			i.client = append(i.client, store.Client{Title: safe.New(by)})
		}
		i.fields = append(i.fields, field{
			field: FieldSection, kind: kindDraft, question: step.ID, of: safe.New(step.Name), text: w.Draft.Markdown(step.ID),
		})
	}
	return i
}

// changed is when something was written into a draft last.
func changed(w runs.Whole) time.Time {
	return slices.MaxFunc([]time.Time{w.Created, w.LastProgress, w.Ended}, time.Time.Compare)
}
