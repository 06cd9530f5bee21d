package sessionpage_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/archive"
	"planb/store/archive/sessionpage"
)

// planned is a session with these texts as versions of its plan.
func planned(texts ...string) archive.Session {
	at := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	s := archive.Session{Session: store.Session{ID: "00000000-0000-4000-8000-0000000000ff", Created: at, Updated: at}}
	for i, text := range texts {
		s.Plans = append(s.Plans, store.WholePlan{Text: safe.New(text), Plan: store.Plan{Session: s.ID, Version: plans.Version{Number: i + 1, Created: at}}})
	}
	return s
}

// grammar is what a page may consist of.
type grammar struct{ tag, href, leads *regexp.Regexp }

func newGrammar() grammar {
	tag := regexp.MustCompile(`^(?:</(?:a|article|b|blockquote|body|circle|code|dd|del|details|div|dl|dt|em|footer|h[1-6]|head|header|html|i|ins|li|line|main|nav|ol|p|pre|section|span|strong|summary|svg|table|tbody|td|th|thead|time|tr|ul)>` +
		`|<(?:a|article|b|blockquote|body|br|circle|code|dd|del|details|div|dl|dt|em|footer|h[1-6]|header|hr|i|ins|li|line|main|nav|ol|p|pre|section|span|strong|summary|svg|table|tbody|td|th|thead|time|tr|ul)` +
		`(?: (?:class|id|rel|target|title|href|datetime|align|start|tabindex|role|aria-label|aria-hidden|open|height|width|x1|x2|y1|y2|cx|cy|r)(?:="[^"<>]*")?)*/?>)`)
	return grammar{tag, regexp.MustCompile(`href="([^"]*)"`), regexp.MustCompile(`^(?:#|https?://|mailto:)`)}
}

// checkMarkup checks the page against a grammar so small that nothing can hide
// in it: the page's own elements and attributes, every value in double quotes,
// every < and > of a text as an entity.
func checkMarkup(t *testing.T, html string) {
	t.Helper()
	head, body, ok := strings.Cut(html, "</style>")
	if !ok || strings.Count(head, "<style>") != 1 {
		t.Fatal("the page has no style of its own")
	}
	grammar := newGrammar()
	for rest := body; ; {
		at := strings.IndexAny(rest, "<>")
		if at < 0 {
			return
		}
		found := grammar.tag.FindString(rest[at:])
		if found == "" {
			t.Fatalf("the page has %.200q", rest[at:])
		}
		for _, value := range grammar.href.FindAllStringSubmatch(found, -1) {
			if !grammar.leads.MatchString(value[1]) {
				t.Fatalf("a link leads to %q", value[1])
			}
		}
		rest = rest[at+len(found):]
	}
}

func TestMarkupOfHostileText(t *testing.T) {
	t.Parallel()
	s, _ := hostileSession()
	checkMarkup(t, write(t, s))
	checkMarkup(t, write(t, fixture(t)))
}

// A page that is sent around names no person's account, machine or directories.
func TestAnAnonymousPageNamesNoUserHostOrPath(t *testing.T) {
	s := planned("# Plan\n")
	at := s.Created.Add(time.Minute)
	damaged := errors.New("/home/ann/.local/share/planb/planb.db is damaged")
	s.Project, s.Plans[0].By = safe.New("/home/ann/work/shop"), "ann@desk"
	s.Asks = []store.Ask{
		{ID: "00000000-0000-4000-8000-000000000001", Session: s.ID, Created: at, Asked: at, Spec: questions.Spec{Title: safe.New("One")},
			Outcome: questions.Outcome{State: questions.Declined, At: at, By: "ann@desk"},
			TooLate: []questions.Outcome{{State: questions.Discuss, At: at, By: "ann@desk", Message: safe.New("wait")}}},
		{ID: "00000000-0000-4000-8000-000000000002", Session: s.ID, Created: at, Err: damaged},
	}
	s.Plans = append(s.Plans, store.WholePlan{Plan: store.Plan{Version: plans.Version{Number: 2, By: "ann@desk"}, Session: s.ID, Err: damaged}})
	if html := write(t, s); !strings.Contains(html, "ann@desk") || !strings.Contains(html, "/home/ann/work/shop") || !strings.Contains(html, "planb.db") {
		t.Fatal("the whole page names none of them either")
	}
	html := write(t, s.Anonymous())
	for _, private := range []string{"ann@", "@desk", "/home", "planb.db"} {
		if strings.Contains(html, private) {
			t.Errorf("the page has %q", private)
		}
	}
	if !strings.Contains(html, `<dd class="mono">shop</dd>`) || s.Asks[0].Outcome.By == "" || s.Asks[0].TooLate[0].By == "" {
		t.Error("the project's name is lost, or the session itself was changed")
	}
	for _, project := range []string{`C:\Users\ann\shop`, `C:\Users\ann\shop\`, "/home/ann/shop/", `\\desk\ann/shop`} { // of any system, also of another one
		s.Project = safe.New(project)
		if got := s.Anonymous().Project.Raw(); got != "shop" {
			t.Errorf("of %s the page has %s", project, got)
		}
	}
}

// A reader who follows a link from the contents to a review must know which one it is.
func TestRepeatedReviewsHaveNamesThatDiffer(t *testing.T) {
	s := planned("# Plan\n")
	for i := range 3 {
		at := s.Created.Add(time.Duration(i+1) * time.Minute)
		s.Asks = append(s.Asks, store.Ask{
			ID: fmt.Sprintf("00000000-0000-4000-8000-00000000000%d", i), Session: s.ID, Created: at, Asked: at,
			Spec: questions.ReviewOf(safe.New("Ship it"), questions.PlanRef{Number: 1 + i/2, Digest: s.Plans[0].Digest}),
		})
	}
	html := write(t, s)
	for i, name := range []string{"v1 Ship it", "v1 Ship it (2)", "v2 Ship it"} {
		if link := fmt.Sprintf(`aria-hidden="true"></i>%s</a>`, name); !strings.Contains(html, link) || !strings.Contains(html, "<h3>"+name+"</h3>") {
			t.Errorf("review %d is not called %s", i+1, name)
		}
	}
}

// An agent may ask under the same title for years, and a page of that is written all the same.
func TestManyAsksWithTheSameTitle(t *testing.T) {
	s := planned("# Plan\n")
	const asks = 4000
	for i := range asks {
		s.Asks = append(s.Asks, store.Ask{
			ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", i), Session: s.ID, Created: s.Created, Asked: s.Created,
			Spec: questions.Spec{Title: safe.New("Next step")},
		})
	}
	s.Asks[7].Spec.Title = safe.New("Next step (2)")
	html := write(t, s)
	for _, name := range []string{"Next step", "Next step (2)", "Next step (2) (2)", fmt.Sprintf("Next step (%d)", asks-1)} {
		if n := strings.Count(html, "<h3>"+name+"</h3>"); n != 1 {
			t.Errorf("%d asks are called %s", n, name)
		}
	}
}

// The page shows a review as the agent read it.
func TestPageOfAReview(t *testing.T) {
	s := planned("# Plan\n")
	said, err := review.Brief(plans.Digest(s.Plans[0].Text), review.RequestChanges, safe.New("Say <b>why</b>.")).JSON()
	if err != nil {
		t.Fatal(err)
	}
	at := s.Created.Add(time.Minute)
	s.Asks = []store.Ask{{
		ID: "00000000-0000-4000-8000-000000000001", Session: s.ID, Created: at, Asked: at,
		Spec: questions.ReviewOf(safe.New("The plan"), questions.PlanRef{Number: 1, Digest: plans.Digest(s.Plans[0].Text)}),
		Outcome: questions.Outcome{State: questions.Answered, At: at.Add(time.Hour), By: "ann@desk", Reply: questions.Reply{
			Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(said))}}},
	}}
	html := write(t, s)
	checkMarkup(t, html)
	for _, want := range []string{
		`<p class="said">Changes requested</p>`, `<blockquote class="answer">Changes requested</blockquote>`,
		`<li class="event submitted">`, `<span class="word">Plan submitted</span> <a href="#ask-1">v1 The plan</a>`,
		`<span class="word">Plan reviewed</span> <a href="#ask-1">v1 The plan</a> <span class="aside">by ann@desk, after 60 min</span>`,
		`<p class="aside">review of <a href="#v1">v1</a>, submitted <time`, ` · reviewed <time`,
		`Say <code class="raw">&lt;b&gt;</code>why`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	s.Asks[0].Outcome.Reply.Answers[questions.ReviewID] = questions.TextValue(`{"digest":`)
	s.Asks[0].Spec.Plan.Number = 9
	html = write(t, s)
	for _, want := range []string{`<blockquote class="answer">A review that cannot be read</blockquote>`, `review of v9, submitted <time`} {
		if !strings.Contains(html, want) {
			t.Errorf("the page of a damaged review lacks %s", want)
		}
	}
	if strings.Contains(html, "digest") {
		t.Error("the page has the review's JSON")
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(markdownAttacks(), "# Plan\n")
	f.Add("a | b\n:-:|-\n1 | `2`\n\n> - 1. x\n\n---\n\n    code\n", "<a href=\"http://x\">[x](<http://a b> 'c')")
	f.Add("[q:a] ![q:b](q) [q:c](d)\n===\n***a*b**\\\n&#0;&Tab;", "\xff\xfe\x00")
	f.Fuzz(func(t *testing.T, before, after string) {
		checkMarkup(t, write(t, planned(before, after)))
	})
}

// slowMarkdown has texts that would take a parser long. A page shows them as
// plain text.
func slowMarkdown() map[string]string {
	return map[string]string{
		"quotes":     strings.Repeat(">", 60_000) + "x",
		"quotes 2":   strings.Repeat("> ", 30_000) + "x",
		"lists":      strings.Repeat("- ", 30_000) + "x",
		"stairs":     stairs("- x", 600),
		"stairs 2":   strings.Repeat(stairs("- x", 20), 40),
		"brackets":   strings.Repeat("[", 60_000),
		"links":      strings.Repeat("[a](", 15_000),
		"images":     strings.Repeat("![", 30_000),
		"emphasis":   strings.Repeat("*a _b ", 10_000),
		"nested":     strings.Repeat("**a *b ", 60) + strings.Repeat("* **", 60),
		"ticks":      ticks(330),
		"html":       strings.Repeat("<a ", 20_000),
		"comments":   strings.Repeat("<!-- ", 12_000),
		"autolinks":  strings.Repeat("http://a.", 7_000),
		"tildes":     strings.Repeat("a "+strings.Repeat("~", 60_000)+"\n\n", 8),
		"mail":       strings.Repeat("a@", 30_000),
		"entities":   strings.Repeat("&#x41;&amp;", 6_000),
		"table":      strings.Repeat("|a", 5_000) + "|\n" + strings.Repeat("|-", 5_000) + "|\n" + strings.Repeat(strings.Repeat("|b", 5_000)+"|\n", 20),
		"brackets 2": strings.Repeat(strings.Repeat("[", 60_000)+"\n", 8),
		"short rows": strings.Repeat("|a", 2_000) + "|\n" + strings.Repeat("|-", 2_000) + "|\n" + strings.Repeat("|b\n", 100_000),
		"in a list":  "> 1. " + strings.Repeat("|a", 2_000) + "|\n>    " + strings.Repeat("|-", 2_000) + "|\n" + strings.Repeat(">    |b\n", 50_000),
		"tables":     strings.Repeat("|a|b|\n|-|-|\n|c\n\n", 3_000),
		"rules":      strings.Repeat("- - - - - - - -\n", 3_000),
		"references": references(4_000),
		"long line":  strings.Repeat("word ", 100_000),
		"large":      strings.Repeat("# Heading\n\nSome *text* with `code`.\n\n", 2_000),
		"headings":   strings.Repeat("# [x](y) `z`\n", 3_000),
	}
}

func TestMarkdownThatTakesTooLong(t *testing.T) {
	for name, text := range slowMarkdown() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			html := write(t, planned(text))
			checkMarkup(t, html)
			if len(html) > 40*len(text)+100_000 {
				t.Errorf("%d bytes became %d", len(text), len(html))
			}
		})
	}
}

func stairs(item string, depth int) string {
	var out strings.Builder
	for i := range depth {
		out.WriteString(strings.Repeat("  ", i) + item + "\n")
	}
	return out.String()
}

func ticks(most int) string {
	var out strings.Builder
	for i := range most {
		out.WriteString(strings.Repeat("`", i+1) + "x ")
	}
	return out.String()
}

func references(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "[r%d]: http://example.invalid/%d\n", i, i)
	}
	out.WriteString("\n" + strings.Repeat("[r1] ", 900))
	return out.String()
}

// A text that is not laid out is on the page all the same, below a notice.
func TestTextThatIsNotLaidOut(t *testing.T) {
	t.Parallel()
	html := write(t, planned("# A\n\n"+strings.Repeat("> ", 200)+"deep <b>"))
	for _, want := range []string{"Shown as plain text: it is nested too deeply to be formatted.", "deep &lt;b&gt;"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	var many []string // each change has more lines than are shown
	for i := range 12 {
		many = append(many, strings.Repeat(fmt.Sprintf("%d\n", i), 2100))
	}
	html = write(t, planned(many...))
	for note, want := range map[string]int{"Only the first 4000 lines of the change are shown.": 9, "Only the first 3991 lines of the change are shown.": 1, "The lines are left out": 1} {
		if n := strings.Count(html, note); n != want {
			t.Errorf("%d changes have the note %q, and not %d", n, note, want)
		}
	}
	long := strings.Repeat("line\n", 4000)
	html = write(t, planned("start\n", long+long, strings.Repeat("x\n", 2000)))
	if !strings.Contains(html, "Only the first 4000 lines of the change are shown.") {
		t.Error("a large change is not cut, or the page does not say so")
	}
	big := strings.Repeat("x", 600_000) // too long to be laid out, but quickly compared
	var versions []string
	for i := range 5 {
		versions = append(versions, fmt.Sprintf("%s\nversion %d\n", big, i))
	}
	html = write(t, planned(versions...))
	if got := strings.Count(html, "The whole text is left out: the plan’s versions are too large for one page."); got != 2 {
		t.Errorf("%d texts are left out", got)
	}
	versions = nil
	for i := range 12 {
		versions = append(versions, strings.Repeat(fmt.Sprintf("%d\n", i), 3000))
	}
	html = write(t, planned(versions...))
	if got := strings.Count(html, "The lines are left out: the changes of all versions are too large for one page."); got != 1 {
		t.Errorf("the lines of %d changes are left out", got)
	}
}

func BenchmarkSlowMarkdown(b *testing.B) {
	for name, text := range slowMarkdown() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := sessionpage.Write(b.Context(), io.Discard, planned(text), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPage writes the page of a long session: 500 versions of 20 KB.
func BenchmarkPage(b *testing.B) {
	text := strings.Repeat("## Heading\n\nA paragraph with *some* text and `code`, long enough to be one.\n\n- one\n- two\n\n", 230)
	var versions []string
	for i := range 500 {
		versions = append(versions, strings.Replace(text, "A paragraph", fmt.Sprintf("Paragraph %d", i), i%200+1))
	}
	s := planned(versions...)
	for b.Loop() {
		var out bytes.Buffer
		if err := sessionpage.Write(b.Context(), &out, s, nil); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len())/1e6, "MB")
	}
}
