package archive_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/yuin/goldmark"
	"pgregory.net/rapid"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/archive"
)

func markdownOf(t fataler, s archive.Session) string {
	t.Helper()
	var out bytes.Buffer
	if err := archive.WriteMarkdown(context.Background(), &out, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestMarkdownOfASession(t *testing.T) {
	sessions, _ := readRoot(t, fixture(t), now())
	golden.RequireEqual(t, markdownOf(t, archive.Closed(sessions[harbour])))
}

func TestMarkdownOfAReview(t *testing.T) {
	out := markdownOf(t, lived(t, newStore()))
	for _, want := range []string{
		": submitted version 2 of the plan A review\n", ": reviewed version 2 of the plan A review (changes requested)",
		"A review of version 2 of the plan.\n\nReviewed 20", "**Changes requested**\n\n> Say <b>why</b>.\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, "digest") {
		t.Errorf("it has the review's JSON:\n%s", out)
	}
}

// planb-mcp keeps any answer to a choice, also a number, and writes an empty text for a question
// that was left open.
func TestMarkdownOfOddAnswers(t *testing.T) {
	ask := store.Ask{Spec: questions.Spec{Questions: []questions.Question{
		{ID: "one", Kind: questions.Single, Label: safe.New("One"), Options: []questions.Option{{Value: safe.New("a")}, {Value: safe.New("2")}}},
		{ID: "own", Kind: questions.Multi, Label: safe.New("Own"), Options: []questions.Option{{Value: safe.New("a")}}},
		{ID: "left", Kind: questions.Text, Label: safe.New("Left")},
	}}}
	ask.Outcome = questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{
		"one": questions.NumberValue(2), "own": questions.NumberValue(7.5), "left": questions.TextValue(""),
	}}}
	out := markdownOf(t, archive.Session{Session: store.Session{ID: harbour}, Asks: []store.Ask{ask}})
	const want = "### One\n\n- [ ] a\n- [x] 2\n\n### Own\n\n- [ ] a\n- [x] Other: 7.5\n\n### Left\n\n*Not answered.*\n"
	if !strings.Contains(out, want) {
		t.Errorf("got\n%s", out)
	}
}

// Each event says by itself what happened.
func TestMarkdownOfWhatCameAgainOrLate(t *testing.T) {
	at := time.Date(2025, 1, 2, 3, 4, 0, 0, time.UTC)
	ask := store.Ask{ID: "00000000-0000-4000-8000-00000000000a", Spec: questions.Spec{Title: safe.New("Storage")}, Created: at, Asked: at.Add(time.Minute)}
	ask.Outcome = questions.Outcome{State: questions.Declined, At: at.Add(2 * time.Minute)}
	ask.TooLate = []questions.Outcome{{State: questions.Answered, At: at.Add(3 * time.Minute), By: "bob"}}
	out := markdownOf(t, archive.Session{Session: store.Session{ID: harbour, Created: at}, Asks: []store.Ask{ask}})
	for _, want := range []string{"03:05 UTC: asked again Storage\n", "03:07 UTC: a reply too late for Storage by bob after 3 min\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// A change is in a fence that is longer than those in it, whatever their length.
func TestMarkdownOfAChangeWithFences(t *testing.T) {
	for before, want := range map[string]string{"a": "\n```diff\n", "```\na\n```": "\n````diff\n", strings.Repeat("`", 1<<20): "\n" + strings.Repeat("`", 1<<20+1) + "diff\n"} {
		session := archive.Session{Session: store.Session{ID: harbour}}
		for i, text := range []string{before, "b"} {
			session.Plans = append(session.Plans, store.WholePlan{Plan: store.Plan{Version: plans.Version{Number: i + 1}}, Text: safe.New(text)})
		}
		if out := markdownOf(t, session); !strings.Contains(out, want) {
			t.Errorf("the change of a text with %.10q is in no such fence", before)
		}
	}
}

// The latest version of each plan of a session is there, and each is compared with itself.
func TestMarkdownOfTwoPlans(t *testing.T) {
	session := archive.Session{Session: store.Session{ID: harbour}}
	for i, text := range []string{"# Alpha\n", "# Beta\n", "# Alpha\n\nMore.\n"} {
		name := plans.Name([]string{"alpha-plan", "beta-plan"}[i%2])
		session.Plans = append(session.Plans, store.WholePlan{Plan: store.Plan{Version: plans.Version{Number: i + 1, Name: name}}, Text: safe.New(text)})
	}
	out := markdownOf(t, session)
	for _, want := range []string{"## The plan alpha-plan, version 3\n", "## The plan beta-plan, version 2\n", "> More.", "## What version 3 changed", "--- a/v1.md\n+++ b/v3.md", "+More."} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, "What version 2 changed") {
		t.Errorf("another plan is compared:\n%s", out)
	}
}

// No text of an agent or a person looks like planb's own: all headings of the
// document are planb's.
func TestMarkdownKeepsTextsInTheirPlace(t *testing.T) {
	const bad = "# Ask 9: forged\n\n</blockquote>\n```\n~~~\n- [x] yes\n<!--\n1. a\n===\n---\n\x1b[2J\u202e[link](http://x)\n"
	at := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	text := safe.New(bad)
	spec := questions.Spec{Title: text, Intro: text, IntroTitle: text, Questions: []questions.Question{
		{ID: "q", Kind: questions.Single, Label: text, Tab: text, Options: []questions.Option{{Value: text, Label: text}}, Other: true},
		{ID: "t", Kind: questions.LongText, Label: text, Tab: text},
	}}
	reply := questions.Reply{Note: text, Notes: map[string]safe.Text{"q": text}, Answers: map[string]questions.Value{
		"q": questions.TextValue(bad + "own"), "t": questions.TextValue(bad), "extra\n# id": questions.TextValue(bad)}}
	s := archive.Session{Session: store.Session{ID: harbour, Title: text, Intent: text, Project: text, Client: store.Client{Name: text}, Created: at, Updated: at}}
	for _, state := range []questions.State{questions.Answered, questions.Declined, questions.Discuss} {
		o := questions.Outcome{State: state, Reply: reply, Message: text, At: at, By: bad}
		s.Asks = append(s.Asks, store.Ask{ID: string(state), Session: harbour, Spec: spec, Created: at, Asked: at, Outcome: o, TooLate: []questions.Outcome{o}})
	}
	for n := range 2 {
		plan := store.WholePlan{Text: safe.New(strings.Repeat(bad, n+1)), Plan: store.Plan{Session: harbour, Version: plans.Version{Number: n + 1, Title: text, By: bad, Created: at}}}
		s.Plans = append(s.Plans, plan)
	}
	out := markdownOf(t, s)
	if strings.ContainsAny(out, "\x1b\u202e") {
		t.Error("a terminal would obey it")
	}
	var html bytes.Buffer
	if err := goldmark.Convert([]byte(out), &html); err != nil {
		t.Fatal(err)
	}
	outside := html.String()
	for strings.Contains(outside, "<blockquote>") { // anything may stand in a quotation
		from := strings.LastIndex(outside, "<blockquote>")
		to := strings.Index(outside[from:], "</blockquote>")
		outside = outside[:from] + outside[from+to+len("</blockquote>"):]
	}
	for line := range strings.SplitSeq(outside, "\n") {
		if strings.Contains(line, "forged") && !strings.Contains(line, "↵") && !strings.Contains(line, "<code") && line != "+# Ask 9: forged" && line != " # Ask 9: forged" {
			t.Errorf("forged: %s", line)
		}
	}
	if n := strings.Count(outside, "<h2"); n != 1+3+1+1 {
		t.Errorf("%d headings:\n%s", n, outside)
	}
}

func TestMarkdownOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) { markdownOf(rt, session().Draw(rt, "session")) })
}

func TestFileNames(t *testing.T) {
	at := time.Date(2025, 1, 2, 23, 59, 0, 0, time.FixedZone("west", -3600))
	for title, want := range map[string]string{
		"":                             "2025-01-03-2f3b9e11",
		"Move: the ../../ /store\x00?": "2025-01-03-move-the-store-2f3b9e11",
		"日本 Ärger CON":                 "2025-01-03-rger-con-2f3b9e11",
		strings.Repeat("word ", 40):    "2025-01-03" + strings.Repeat("-word", 10) + "-2f3b9e11",
	} {
		s := archive.Session{Session: store.Session{ID: harbour, Title: safe.New(title), Created: at}}
		if got := s.FileName(); got != want {
			t.Errorf("%q gives %s, want %s", title, got, want)
		}
	}
}
