package search_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/search"
)

// world is a store whose clock advances by an hour with each reading.
type world struct {
	*store.Store
	t      *testing.T
	engine *kvtest.Map
	now    time.Time
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, engine: kvtest.NewMap(), now: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)}
	w.Store = store.New(w.engine, store.Options{By: "ann@desk", Now: func() time.Time {
		w.now = w.now.Add(time.Hour)
		return w.now
	}})
	return w
}

func (w *world) session(title, project, client string) string {
	w.t.Helper()
	s, err := w.CreateSession(w.t.Context(), store.Session{
		Title: safe.New(title), Intent: safe.New("To decide on " + title), Project: safe.New(project),
		Client: store.Client{Name: safe.New(client)},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return s.ID
}

func (w *world) plan(session, text string) {
	w.t.Helper()
	if _, _, err := w.SavePlan(w.t.Context(), session, "", text); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) ask(session, title string) string {
	w.t.Helper()
	ask, _, err := w.OpenAsk(w.t.Context(), store.Ask{Session: session, Timeout: time.Hour, Spec: questions.Spec{
		Title: safe.New(title), IntroTitle: safe.New("Overview"), Intro: safe.New("Why " + title + " matters"),
		Questions: []questions.Question{
			{ID: "db", Kind: questions.Single, Label: safe.New("Which database?"), Tab: safe.New("Questions"), Options: []questions.Option{
				{Value: safe.New("pg"), Label: safe.New("PostgreSQL"), Description: safe.New("a server"), Markdown: safe.New("Draws an elephant")},
				{Value: safe.New("lite"), Label: safe.New("SQLite")},
			}},
			{ID: "rows", Kind: questions.Scale, Label: safe.New("How many rows?"), Tab: safe.New("Questions"), Range: &questions.Range{Min: 0, Max: 50, Step: 1}},
			{ID: "why", Kind: questions.LongText, Label: safe.New("Why?"), Tab: safe.New("Questions")},
		},
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	return ask.ID
}

func (w *world) settle(id string, outcome questions.Outcome) {
	w.t.Helper()
	_, err := w.Settle(w.t.Context(), id, outcome)
	if late := new(questions.SettledError); err != nil && !errors.As(err, &late) {
		w.t.Fatal(err)
	}
}

func answer(why string) questions.Outcome {
	return questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{
			"db": questions.TextValue("pg"), "rows": questions.NumberValue(42), "why": questions.TextValue(why),
		},
		Notes: map[string]safe.Text{"db": safe.New("only with backups")},
	}}
}

// library is a store that has at least one of every kind of text.
func library(t *testing.T) *world {
	w := newWorld(t)
	cache := w.session("Cache", "/home/ann/web", "claude-code")
	w.plan(cache, "# Cache\n\nUse an LRU cache.\nEvict after a day.\n")
	w.plan(cache, "# Cache\n\nUse a ring buffer.\nEvict after a day.\n")
	w.settle(w.ask(cache, "Storage"), answer("because Ünder load it is faster"))
	shop := w.session("Shop", "/home/ann/my shop", "codex")
	w.plan(shop, "# Shop\n\nSell\r\nmany things.\n")
	declined := w.ask(shop, "Payments")
	w.settle(declined, questions.Outcome{State: questions.Declined, Message: safe.New("ask the bank first")})
	w.settle(declined, answer("too slow I was"))
	w.ask(shop, "Colours")
	return w
}

// told writes each hit as a line.
func told(t *testing.T, w *world, text string) (lines []string) {
	t.Helper()
	query, err := search.Parse(text, w.now)
	if err != nil {
		t.Fatal(err)
	}
	for step, err := range search.Run(t.Context(), w, query) {
		if err != nil {
			t.Fatal(err)
		}
		if step.Unreadable > 0 {
			t.Errorf("%d records are unreadable", step.Unreadable)
		}
		for _, hit := range step.Hits {
			lines = append(lines, told1(hit))
		}
	}
	return lines
}

// A status is named by the word that the screens show, and by the store's.
func TestAStatusHasTheWordOfTheScreens(t *testing.T) {
	w := newWorld(t)
	shop := w.session("Shop", "/home/ann/shop", "codex")
	w.ask(shop, "Colours")
	payments, err := w.Ask(t.Context(), w.ask(shop, "Payments"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Expire(t.Context(), payments.ID, payments.Asked); err != nil {
		t.Fatal(err)
	}
	w.settle(w.ask(shop, "Storage"), questions.Outcome{State: questions.Discuss, Message: safe.New("tell me more")})
	for status, want := range map[string][]string{
		"open":         {"Shop / Payments", "Shop / Colours"},
		"waiting":      {"Shop / Payments", "Shop / Colours"},
		"pending":      {"Shop / Colours"},
		"overdue":      {"Shop / Payments"},
		"expired":      {"Shop / Payments"},
		"replied":      {"Shop / Storage"},
		`"replied to"`: {"Shop / Storage"},
		"discuss":      {"Shop / Storage"},
		"reviewed":     nil,
	} {
		if got := told(t, w, "status:"+status); !slices.Equal(got, want) {
			t.Errorf("status:%s: %q, want %q", status, got, want)
		}
	}
}

func told1(hit search.Hit) string {
	line := hit.Session.Title.Raw()
	switch {
	case hit.Ask.ID != "":
		line += " / " + hit.Ask.Spec.Title.Raw()
	case hit.Plan.Number > 0:
		line += fmt.Sprint(" / v", hit.Plan.Number)
	}
	for _, e := range hit.Excerpts {
		line += fmt.Sprintf(" | %s:%d ", e.Field, e.Line)
		if e.Question != "" {
			line += e.Question + " "
		}
		for _, p := range e.Pieces {
			if p.Match {
				line += "[" + p.Text.Raw() + "]"
			} else {
				line += p.Text.Raw()
			}
		}
	}
	if hit.More > 0 {
		line += fmt.Sprint(" +", hit.More)
	}
	return line
}

func TestEverythingIsFound(t *testing.T) {
	w := library(t)
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"lru", []string{"Cache / v1 | plan:3 Use an [LRU] cache."}},
		{"ring buffer", []string{"Cache / v2 | plan:3 Use a [ring] [buffer]."}},
		{"evict", []string{"Cache / v2 | plan:4 [Evict] after a day."}}, // v1 has no line that v2 does not have
		{"evict lru", []string{"Cache / v1 | plan:3 Use an [LRU] cache. | plan:4 [Evict] after a day."}},
		{"evict elephant", nil}, // both words occur, but not in the same item
		{`"sell many"`, []string{"Shop / v1 | plan:3 [Sell\r\nmany] things."}},
		{"colours", []string{"Shop / Colours | title:1 [Colours] | intro:1 Why [Colours] matters"}},
		{"kind:answer elephant", nil},
		{"kind:session decide", []string{
			"Shop | intent:1 To [decide] on Shop", "Cache | intent:1 To [decide] on Cache",
		}},
		{"ünder", []string{"Cache / Storage | answer:1 why because [Ünder] load it is faster"}},
		{"kind:answer postgresql", []string{
			"Shop / Payments | late:1 db [PostgreSQL]", "Cache / Storage | answer:1 db [PostgreSQL]",
		}},
		{"kind:scale 42", []string{"Shop / Payments | late:1 rows [42]", "Cache / Storage | answer:1 rows [42]"}},
		{"kind:note backups", []string{
			"Shop / Payments | late:1 db only with [backups]", "Cache / Storage | note:1 db only with [backups]",
		}},
		{"bank", []string{"Shop / Payments | message:1 ask the [bank] first"}},
		{"elephant project:web", []string{"Cache / Storage | illustration:1 db Draws an [elephant]"}},
		{`elephant project:"my shop" status:open`, []string{"Shop / Colours | illustration:1 db Draws an [elephant]"}},
		{"client:CODEX things", []string{"Shop / v1 | plan:4 many [things]."}},
		{"status:declined", []string{"Shop / Payments"}},
		{"status:late status:answered", []string{"Shop / Payments", "Cache / Storage"}},
		{"status:undelivered kind:note", []string{"Shop / Payments", "Cache / Storage"}},
		{"kind:plan", []string{"Shop / v1", "Cache / v2", "Cache / v1"}},
		{"kind:plan before:2026-05-01", nil},
		{"kind:plan after:2026-05-02", nil},
		{"kind:plan after:2026-05-01 before:2026-05-02 ring", []string{"Cache / v2 | plan:3 Use a [ring] buffer."}},
		{"", nil},
	} {
		if got := told(t, w, test.query); !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.query, strings.Join(got, "\n     "), strings.Join(test.want, "\n     "))
		}
	}
}

// A review is found by the words that a person reads, not by words that only
// its JSON has.
func TestReviewsAreFoundByTheirWords(t *testing.T) {
	w := newWorld(t)
	s := w.session("Cache", "/p", "x")
	settle := func(title string, verdict review.Verdict, said string, state questions.State) {
		text := safe.New("# " + title + "\n\nUse an LRU cache.\n")
		r := review.Review{Digest: plans.Digest(text), Verdict: verdict}
		if said != "" {
			c, err := review.CommentOn(text, 3, 3)
			if err != nil {
				t.Fatal(err)
			}
			c.ID, c.Kind, c.Text = "c1", review.Question, safe.New(said)
			r.Comments = []review.Comment{c}
		}
		if state == questions.Answered {
			var err error
			if r, err = r.Complete(text, safe.Text{}); err != nil {
				t.Fatal(err)
			}
		}
		json, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		ask, _, err := w.OpenAsk(t.Context(), store.Ask{Session: s, Timeout: time.Hour, Spec: questions.ReviewOf(safe.New(title), questions.PlanRef{Number: 1, Digest: r.Digest})})
		if err != nil {
			t.Fatal(err)
		}
		w.settle(ask.ID, questions.Outcome{State: state, Message: safe.New("see there"), Reply: questions.Reply{
			Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(json))}}})
	}
	settle("First", review.RequestChanges, "Why <not>\na ring?", questions.Answered)
	settle("Second", review.Approve, "", questions.Answered)
	settle("Third", "", "Which ring?", questions.Discuss)
	for query, want := range map[string][]string{
		"ring":                {"Cache / Third | answer:7 review Which [ring]?", "Cache / First | answer:10 review a [ring]?"},
		"kind:answer lru":     {"Cache / Third | answer:5 review > Use an [LRU] cache.", "Cache / First | answer:7 review > Use an [LRU] cache."},
		`"changes requested"`: {"Cache / First | answer:1 review [Changes requested]"},
		"approved":            {"Cache / Second | answer:1 review [Approved]"},
		"<not>":               {"Cache / First | answer:9 review Why [<not>]"},
		"kind:review approve": {"Cache / Second | answer:1 review [Approve]d"},
		"kind:ask ring":       nil,
		"kind:review decide":  nil, // a word of the review's form
		"digest":              nil,
		"withheld":            nil,
		"quote":               nil,
	} {
		if got := told(t, w, query); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", query, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

func TestALongLineIsCutAroundTheMatch(t *testing.T) {
	w := newWorld(t)
	s := w.session("long", "/p", "x")
	w.plan(s, strings.Repeat("słowo ", 1000)+"needle"+strings.Repeat("ż", 1000)+"\n"+strings.Repeat("needle\n", 10))
	query, err := search.Parse("needle", w.now)
	if err != nil {
		t.Fatal(err)
	}
	for step, err := range search.Run(t.Context(), w, query) {
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range step.Hits {
			if len(hit.Excerpts) != search.MaxExcerpts || hit.More != 8 {
				t.Errorf("%d excerpts and %d more, want %d and 8", len(hit.Excerpts), hit.More, search.MaxExcerpts)
			}
			line := ""
			for _, p := range hit.Excerpts[0].Pieces {
				line += p.Text.Raw()
			}
			if len(line) > search.MaxExcerptBytes+8 || !strings.HasPrefix(line, "…słowo ") || !strings.HasSuffix(line, "żż…") {
				t.Errorf("got %d bytes: %q", len(line), line)
			}
		}
	}
}

// A long line is cut between words, at both of its ends.
func TestALongLineIsCutBetweenWords(t *testing.T) {
	w := newWorld(t)
	for _, length := range []int{5, 6, 7, 8} {
		word := strings.Repeat("a", length)
		w.plan(w.session(word, "/p", "x"), strings.Repeat(word+" ", 100)+"needle"+strings.Repeat(" "+word, 100)+"\n")
	}
	for _, line := range told(t, w, "needle") {
		word, _, _ := strings.Cut(line, " ")
		_, excerpt, _ := strings.Cut(line, "…")
		for part := range strings.FieldsSeq(strings.TrimSuffix(excerpt, "…")) {
			if part != "[needle]" && part != word {
				t.Errorf("%q is a part of a word: %s", part, line)
			}
		}
	}
}

// TestStepsComeInOrder searches many pages of sessions. The hits come in the
// order of the sessions.
func TestStepsComeInOrder(t *testing.T) {
	w := newWorld(t)
	var want []string
	for n := range 300 {
		title := fmt.Sprint("session ", n)
		w.plan(w.session(title, "/p", "x"), "# needle")
		want = append(want, title+" / v1 | plan:1 # [needle]")
	}
	slices.Reverse(want)
	if got := told(t, w, "needle"); !slices.Equal(got, want) {
		t.Errorf("got %d hits, first %q; want %d, first %q", len(got), got[:1], len(want), want[:1])
	}
}

// endless is a source whose WholePlans blocks until its context ends.
type endless struct{ *world }

func (e endless) WholePlans(ctx context.Context, ids ...store.PlanID) iter.Seq2[store.WholePlan, error] {
	return func(yield func(store.WholePlan, error) bool) {
		<-ctx.Done()
		yield(store.WholePlan{}, ctx.Err())
	}
}

func TestASearchEndsWithItsContextAndWithItsCaller(t *testing.T) {
	w := library(t)
	query, err := search.Parse("cache", w.now)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	var last error
	for _, err := range search.Run(ctx, endless{w}, query) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("got %v, want the context's error", last)
	}
	for n := range 200 {
		w.plan(w.session(fmt.Sprint(n), "/p", "x"), "# cache")
	}
	for range search.Run(t.Context(), w, query) {
		break // no goroutine may be left running: the race detector or the end of the test would report it
	}
}

func TestWhatCannotBeReadIsCounted(t *testing.T) {
	w := library(t)
	damaged := 0
	for _, prefix := range []kv.Key{"s/", "p/", "a/"} {
		page, err := w.engine.Scan(t.Context(), prefix, "", 1)
		if err != nil {
			t.Fatal(err)
		}
		op := kv.OpID{1, byte(damaged)}
		if err := w.engine.Commit(t.Context(), kv.Batch{Op: op, Puts: []kv.Put{{Key: page.Records[0].Key, Value: []byte("{")}}}); err != nil {
			t.Fatal(err)
		}
		damaged++
	}
	query, err := search.Parse("elephant", w.now)
	if err != nil {
		t.Fatal(err)
	}
	hits, unreadable := 0, 0
	for step, err := range search.Run(t.Context(), w, query) {
		if err != nil {
			t.Fatal(err)
		}
		hits += len(step.Hits)
		unreadable += step.Unreadable
		if (step.Why != nil) != (step.Unreadable > 0) || step.Why != nil && !store.AboutOneRecord(step.Why) {
			t.Errorf("%d are unreadable, because %v", step.Unreadable, step.Why)
		}
	}
	// If the record of a session is damaged, the search does not know its
	// versions.
	if hits != 2 || unreadable != 2 {
		t.Errorf("got %d hits and %d unreadable records; want 2 and 2", hits, unreadable)
	}
}

// A row of a table is shown without its bars; another line with a bar is shown as it is.
func TestARowOfATableIsShownWithoutBars(t *testing.T) {
	w := newWorld(t)
	w.plan(w.session("Rows", "/p", "x"), "| what | how |\n|--|--|\n| a needle | with|thread |\nsort needle | uniq\n")
	query, err := search.Parse("needle", w.now)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for step, err := range search.Run(t.Context(), w, query) {
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range step.Hits {
			for _, e := range hit.Excerpts {
				line := ""
				for _, p := range e.Shown() {
					line += p.Text.Raw()
				}
				shown = append(shown, line)
			}
		}
	}
	if want := []string{"a needle · with · thread", "sort needle | uniq"}; !slices.Equal(shown, want) {
		t.Errorf("it shows %q, want %q", shown, want)
	}
}
