package inbox

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/search"
	"planb/tui/wording"
)

// The values of the filter status: in this list.
const (
	statusOpen       = "open"    // a form waits for the person
	statusWaiting    = "waiting" // the same
	statusOverdue    = "overdue" // such a form's time is over
	statusLive       = "live"    // an agent's call waits for such a form
	statusArchived   = "archived"
	statusUnreadable = "unreadable"
)

func sessionStatuses() []string {
	return []string{statusOpen, statusOverdue, statusLive, statusArchived, statusUnreadable}
}

// listFilter is what the person typed to narrow the list, and its meaning.
type listFilter struct {
	text    string
	query   search.SessionQuery
	problem string // which part of it makes no sense
	brief   string // what that part can be instead
}

func parseFilter(text string, now time.Time) listFilter {
	query, err := search.ParseSessions(text, now, sessionStatuses(), statusWaiting)
	f := listFilter{text: text, query: query, problem: wording.Sentence(err)}
	if problem, ok := errors.AsType[*search.Problem](err); ok {
		name, _, _ := strings.Cut(problem.Filter, ":")
		f.brief = safe.New(name + ": " + problem.Allowed).Line()
	}
	return f
}

// passesSession reports whether a session passes the filters. Words are matched elsewhere.
func (s *listState) passesSession(session store.Session) bool {
	return s.filter.query.Matches(session, func(status string) bool {
		switch status {
		case statusOpen, statusWaiting:
			return s.open[session.ID].forms > 0
		case statusOverdue:
			return s.open[session.ID].overdue
		case statusLive:
			return s.open[session.ID].live
		case statusArchived:
			return session.InArchive()
		case statusUnreadable:
			return session.Err != nil
		}
		return false
	})
}

// passesWaiting reports whether a form that waits passes the filters.
func (s *listState) passesWaiting(w Waiting) bool {
	return s.filter.query.Matches(w.Session, func(status string) bool {
		switch status {
		case statusOpen, statusWaiting:
			return true
		case statusOverdue:
			return w.Ask.Outcome.State == questions.Expired
		case statusLive:
			return w.Live
		case statusUnreadable:
			return w.Ask.Err != nil
		}
		return false
	})
}

func (s *listState) waitingText(i int) rowText {
	w := s.waiting[i]
	return rowText{
		ids:    []string{w.Ask.ID, w.Session.ID},
		strong: lowered(w.Ask.Spec.Title.Line(), wording.ProjectName(w.Session), wording.ClientName(w.Ask.Client), w.Session.Title.Line()),
	}
}

// sessionText is what a session can be found by. It is made once for each session, because
// nothing in it changes.
func (s *listState) sessionText(i int) rowText {
	session := s.sessions[i]
	text, ok := s.texts[session.ID]
	if !ok {
		text = rowText{
			ids:    []string{session.ID},
			strong: lowered(wording.SessionTitle(session), wording.ProjectName(session), wording.ClientName(session.Client)),
			weak:   lowered(session.Intent.Line()),
		}
		if s.texts == nil {
			s.texts = map[string]rowText{}
		}
		s.texts[session.ID] = text
	}
	return text
}

func lowered(texts ...string) string { return strings.ToLower(strings.Join(texts, " ")) }

// rowText holds the texts by which a row can be found: words in lower case, and ids. A
// token matches a word that has its letters in order, and an id that contains it. A match
// in the weak words scores lower.
type rowText struct {
	strong, weak string
	ids          []string
}

// score says how well a token, in lower case, fits the best word. The least score is 0.
func (t rowText) score(token string) (score int, ok bool) {
	const (
		strongest = 100_000
		idPart    = 4 // fewer digits are in nearly every id
	)
	if score, ok = bestWord(token, t.strong); ok {
		return score + strongest, true
	}
	if score, ok = bestWord(token, t.weak); ok {
		return score, true
	}
	if len(token) < idPart {
		return 0, false
	}
	return 0, slices.ContainsFunc(t.ids, func(id string) bool { return strings.Contains(id, token) })
}

// bestWord scores the word that the token fits best. A token of one letter has to begin
// the word, because nearly every text has each letter.
func bestWord(token, text string) (best int, ok bool) {
	const worst = 1000 // the library's scores go below zero
	if !inOrder(token, text) {
		return 0, false
	}
	single := utf8.RuneCountInString(token) == 1
	for text != "" {
		word, rest := cutWord(text)
		text = rest
		if single && !strings.HasPrefix(word, token) || !inOrder(token, word) {
			continue
		}
		for _, match := range fuzzy.FindNoSort(token, []string{word}) {
			best, ok = max(best, match.Score+worst, 0), true
		}
	}
	return best, ok
}

func cutWord(text string) (word, rest string) {
	if i := strings.IndexAny(text, " -_/.,:;"); i >= 0 {
		return text[:i], text[i+1:]
	}
	return text, ""
}

// inOrder reports whether the letters of the token come in that order in the text. It
// keeps most texts away from the fuzzy library, which needs a hundred times as long for
// each.
func inOrder(token, text string) bool {
	for _, letter := range token {
		i := strings.IndexRune(text, letter)
		if i < 0 {
			return false
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		text = text[i+size:]
	}
	return true
}

// matching returns the indexes of the rows that pass the filters and that every word of
// the filter fits. The best come first; rows of one score stay in their order.
func (s *listState) matching(n int, passes func(int) bool, text func(int) rowText) []int {
	type hit struct{ index, score int }
	tokens := make([]string, len(s.filter.query.Words))
	for i, word := range s.filter.query.Words {
		tokens[i] = strings.ToLower(word)
	}
	hits := make([]hit, 0, n)
	for i := range n {
		if !passes(i) {
			continue
		}
		if score, ok := scoreAll(tokens, i, text); ok {
			hits = append(hits, hit{i, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return b.score - a.score })
	indexes := make([]int, len(hits))
	for i, h := range hits {
		indexes[i] = h.index
	}
	return indexes
}

func scoreAll(tokens []string, i int, text func(int) rowText) (total int, ok bool) {
	if len(tokens) == 0 {
		return 0, true
	}
	t := text(i)
	for _, token := range tokens {
		score, ok := t.score(token)
		if !ok {
			return 0, false
		}
		total += score
	}
	return total, true
}

// Narrow returns the forms that a filter leaves, the snoozed ones last. If a part of the
// filter makes no sense, problem says which, and the rest of it still counts.
func Narrow(list []Waiting, filter string, now time.Time) (left []Waiting, problem string) {
	s := listState{waiting: list, filter: parseFilter(filter, now), now: now}
	awake, asleep := s.apart(s.matching(len(list), func(i int) bool { return s.passesWaiting(list[i]) }, s.waitingText))
	for _, i := range slices.Concat(awake, asleep) {
		left = append(left, list[i])
	}
	return left, s.filter.problem
}
