package sessionpage_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"planb/plans"
	"planb/plans/page"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/archive"
	"planb/store/archive/sessionpage"
)

// canary is the host in every address that hostile text has.
const canary = "canary.invalid"

// attacks are texts that try to run code, to load something, to leave the page,
// or to look like a part of it. Each one ends with a text that must be legible.
func attacks() []string {
	return []string{
		`<script>document.documentElement.dataset.ran='script'</script>`,
		`</style></title></textarea><script>document.documentElement.dataset.ran='end'</script>`,
		`<img src="http://` + canary + `/img" onerror="document.documentElement.dataset.ran='onerror'">`,
		`"><svg onload="document.documentElement.dataset.ran='svg'"><a href="javascript:document.documentElement.dataset.ran=1">`,
		`' onmouseover='document.documentElement.dataset.ran=1' style='background:url(http://` + canary + `/css)' x='`,
		`<iframe src="http://` + canary + `/frame"></iframe><object data="http://` + canary + `/o"></object><embed src="http://` + canary + `/e">`,
		`<meta http-equiv="refresh" content="0;url=http://` + canary + `/refresh"><base href="http://` + canary + `/base/">`,
		`<link rel="stylesheet" href="http://` + canary + `/link.css"><style>@import url(http://` + canary + `/import);body{display:none}</style>`,
		`<form action="http://` + canary + `/form"><input autofocus onfocus="document.documentElement.dataset.ran='focus'"><button>go</button></form>`,
		`<video poster="http://` + canary + `/p"><source onerror="document.documentElement.dataset.ran='source'"></video><audio src="http://` + canary + `/a" autoplay>`,
		`<template><script>document.documentElement.dataset.ran=1</script></template><math><mtext><img src=x onerror="document.documentElement.dataset.ran='math'">`,
		`{{.Policy}} {{template "x"}} ${alert(1)} <!-- <script>document.documentElement.dataset.ran=1</script> -->`,
		`<![CDATA[ <script>document.documentElement.dataset.ran=1</script> ]]> <?php x ?> <!DOCTYPE x>`,
	}
}

// markdownAttacks try the same with Markdown.
func markdownAttacks() string {
	return strings.Join(append(attacks(),
		`![image](http://`+canary+`/md.png "title\" onerror=\"x") ![x](data:text/html,<script>1</script>)`,
		`[run](javascript:document.documentElement.dataset.ran=1) [data](data:text/html;base64,PHNjcmlwdD4=) [vb](vbscript:x) [rel](../../x) [file](file:///etc/passwd)`,
		"[tab](java\tscript:1) [nl](&#106;avascript:1) [nul](\x00javascript:1) [case](JaVaScRiPt:1) [enc](javascript&colon;1)",
		`[good](http://`+canary+`/"onmouseover="x '"><script>') <http://`+canary+`/auto> <javascript:1> http://`+canary+`/"onclick="x www.`+canary+` <a@b.invalid>`,
		`[ref]: javascript:document.documentElement.dataset.ran=1`+"\n\n[ref] [ref][] [x][ref] ![ref]",
		"```\"><script>document.documentElement.dataset.ran='fence'</script>\ncode </code></pre><script>document.documentElement.dataset.ran='code'</script>\n```",
		"~~~ javascript onload=x\n<b>\n~~~",
		"    </pre><script>document.documentElement.dataset.ran='indented'</script>",
		"# Heading {#id onclick=document.documentElement.dataset.ran=1} <script>1</script>",
		"```mermaid\ndraw <script>document.documentElement.dataset.ran='drawn'</script>\n"+strings.Repeat("\"><script>document.documentElement.dataset.ran='line'</script>&lt;\n", 9)+"```",
		"```mermaid\n</pre><script>document.documentElement.dataset.ran='undrawn'</script>\n```",
		"| a | b |\n|:--|--:|\n| <script>document.documentElement.dataset.ran='cell'</script> | `</td><script>` |",
		"- [ ] <b>open</b>\n- [x] done\n\n1. &lt;script&gt; &#60;script&#62;document.documentElement.dataset.ran='entity'&#60;/script&#62; &#x1b;[2J &#8238;bidi &#0;",
		"*emph <script>* **bold </b>** ~~gone~~ [q:q1] [q:nobody] [q:\"><script>] \x1b[31mred\u202e\u0007",
	), "\n\n")
}

// hostileSession has hostile text in every field. Each field's text begins with
// a mark of its own, so that a test can name the field that is not shown.
func hostileSession() (s archive.Session, marks []string) {
	at := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	n := 0
	all := attacks()
	raw := func(field string) string {
		n++
		mark := fmt.Sprintf("<%s-%d>", field, n)
		marks = append(marks, mark)
		return mark + all[n%len(all)]
	}
	text := func(field string) safe.Text { return safe.New(raw(field)) }
	md := func(field string) safe.Text {
		n++
		mark := fmt.Sprintf("%s-md-%d", field, n)
		marks = append(marks, mark)
		return safe.New(mark + "\n\n" + markdownAttacks() + "\n\nend-" + mark)
	}
	const id = "00000000-0000-4000-8000-0000000000ff"
	s.Session = store.Session{
		ID: id, Title: text("title"), Intent: text("intent"), Project: text("project"),
		Client: store.Client{Name: text("client"), Version: text("version")}, Created: at, Updated: at.Add(time.Hour),
	}
	marks = marks[:len(marks)-2] // the agent's name is one of three
	s.Client.Title = text("agent")
	spec := questions.Spec{Title: text("ask"), IntroTitle: text("introTitle"), Intro: md("intro")}
	answers := map[string]questions.Value{}
	notes := map[string]safe.Text{}
	for i, kind := range []questions.Kind{questions.Text, questions.LongText, questions.Single, questions.Multi, questions.Scale} {
		q := questions.Question{
			ID: fmt.Sprintf("q%d", i), Kind: kind, Label: text("label"), Tab: text("tab"), Required: i%2 == 0,
			Description: md("description"),
		}
		switch kind {
		case questions.Single, questions.Multi:
			for range 2 {
				q.Options = append(q.Options, questions.Option{Value: text("value"), Label: text("optionLabel"), Description: text("optionDescription"), Markdown: md("illustration")})
			}
			marks = slices.DeleteFunc(marks, func(m string) bool { return strings.HasPrefix(m, "<value") }) // shown by their labels
			proposed := questions.TextValue(q.Options[0].Value.Raw())
			q.Default = &proposed
		case questions.Scale:
			q.Range = &questions.Range{Min: -1, Max: 1, Step: 0.5}
		default:
			proposed := questions.TextValue(raw("proposed"))
			marks = marks[:len(marks)-1] // the answer is shown instead
			q.Default = &proposed
		}
		spec.Questions = append(spec.Questions, q)
		notes[q.ID] = text("note")
		switch kind {
		case questions.Multi:
			answers[q.ID] = questions.ItemsValue(q.Options[1].Value.Raw(), raw("own"))
		case questions.Scale:
			answers[q.ID] = questions.NumberValue(0.5)
		case questions.Single:
			answers[q.ID] = questions.TextValue(raw("own"))
		default:
			answers[q.ID] = questions.TextValue(raw("answer"))
		}
	}
	answers[raw("extraID")] = questions.TextValue(raw("extra"))
	for i, state := range []questions.State{questions.Answered, questions.Discuss, questions.Declined, questions.State(raw("state"))} {
		reply := questions.Reply{Answers: answers, Notes: notes, Note: text("formNote")}
		o := questions.Outcome{State: state, Reply: reply, Message: text("message"), At: at.Add(time.Minute), By: raw("by")}
		late := questions.Outcome{State: questions.Declined, Message: text("lateMessage"), At: at.Add(time.Hour), By: raw("lateBy")}
		s.Asks = append(s.Asks, store.Ask{
			ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", i), Session: id, Spec: spec, Created: at, Asked: at,
			Place: raw("place"), Outcome: o, TooLate: []questions.Outcome{late}, Delivered: at.Add(2 * time.Minute),
		})
		marks = slices.DeleteFunc(marks, func(m string) bool { return strings.HasPrefix(m, "<place") }) // no page shows it
	}
	s.Asks = append(s.Asks, store.Ask{ID: "00000000-0000-4000-8000-000000000009", Session: id, Created: at, Err: fmt.Errorf("%s", raw("unreadable"))})
	for i := range 3 {
		plan := store.WholePlan{Text: md("plan"), Plan: store.Plan{Session: id, Version: plans.Version{
			Number: i + 1, Title: text("planTitle"), By: raw("planBy"), Created: at.Add(time.Duration(i+5) * time.Minute)}}}
		s.Plans = append(s.Plans, plan)
	}
	s.Plans = append(s.Plans, store.WholePlan{Plan: store.Plan{Session: id, Version: plans.Version{Number: 4}, Err: fmt.Errorf("%s", raw("unreadablePlan"))}})
	return s, marks
}

// drawn is a Draw for tests: each line of the source becomes one line for every
// part. It refuses a source that does not begin with "draw".
func drawn(source string) (page.Drawing, error) {
	if !strings.HasPrefix(source, "draw") {
		first, _, _ := strings.Cut(source, "\n")
		return page.Drawing{}, fmt.Errorf("%q is not understood", first)
	}
	var d page.Drawing
	parts := []page.Part{"", page.Outline, page.Edge, page.Frame, page.Title, page.Note, page.Mark, page.Lifeline, `"><script>`}
	for i, line := range strings.Split(source, "\n") {
		d.Lines = append(d.Lines, []page.Span{{Text: line, Part: parts[i%len(parts)]}, {Text: "│"}})
	}
	d.Legend = []string{"short: " + source}
	return d, nil
}

func write(t *testing.T, s archive.Session) string {
	t.Helper()
	var out bytes.Buffer
	if err := sessionpage.Write(t.Context(), &out, s, drawn); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func saved(t *testing.T, html string) (url string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// fixture is the most ordinary session of planb-mcp's root.
func fixture(t *testing.T) archive.Session {
	t.Helper()
	root, err := os.OpenRoot("../../../testdata/planb-mcp")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := root.Close(); err != nil {
			t.Error(err)
		}
	}()
	for found, err := range archive.ReadRoot(context.Background(), root.FS(), time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(found.Session.ID, "3f0d") {
			return archive.Closed(found.Session)
		}
	}
	t.Fatal("the fixture has no such session")
	return archive.Session{}
}

func TestPage(t *testing.T) {
	html := write(t, fixture(t))
	golden.RequireEqual(t, html)
	if again := write(t, fixture(t)); again != html {
		t.Error("the same session gives another page")
	}
}

// openAll unfolds everything, as a reader can.
const openAll = `document.querySelectorAll("details").forEach(d => d.open = true)`

// TestPagesInABrowser opens them all in one browser, which takes long to start.
func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	t.Run("nothing an agent wrote can run", func(t *testing.T) { nothingAnAgentWroteCanRun(t, b.in(t)) })
	t.Run("a page fits and follows the reader", func(t *testing.T) { pageFitsAndFollowsTheReader(t, b.in(t)) })
}

func nothingAnAgentWroteCanRun(t *testing.T, b *browser) {
	// First a check that this browser would run all of it, without protection.
	b.open(saved(t, "<!doctype html><title>x</title>"+strings.Join(attacks()[:3], "")))
	var ran bool
	b.eval(`"ran" in document.documentElement.dataset`, &ran)
	if !ran || len(b.network.about(canary)) == 0 {
		t.Fatalf("without protection ran is %v, and the network was asked for %q", ran, b.network.about(canary))
	}

	s, marks := hostileSession()
	html := write(t, s)
	asked := len(b.network.about(canary))
	b.open(saved(t, html))
	b.eval(openAll, nil)
	b.eval(`document.querySelectorAll("a, summary, code, p").forEach(e => { for (const k of ["mouseover", "focus", "pointerdown"]) e.dispatchEvent(new Event(k, {bubbles: true})) })`, nil)
	b.eval(`new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))`, nil)
	b.eval(`"ran" in document.documentElement.dataset`, &ran)
	if ran {
		t.Error("a script ran")
	}
	if now := b.network.about(canary); len(now) > asked {
		t.Errorf("requests left: %q", now[asked:])
	}
	for _, e := range b.told("Network.requestWillBeSent") {
		var request struct {
			Request struct{ URL string }
		}
		if err := json.Unmarshal(e.Params, &request); err != nil || !strings.HasPrefix(request.Request.URL, "file:///") || !strings.HasSuffix(request.Request.URL, "/page.html") {
			t.Errorf("the page asked for %s, %v", request.Request.URL, err)
		}
	}
	// The policy had nothing to block, because the page has nothing that it forbids.
	for _, kind := range []string{"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening", "Page.frameAttached", "Page.windowOpen"} {
		for _, e := range b.told(kind) {
			t.Errorf("%s: %s", kind, e.Params)
		}
	}
	checkElements(t, b)
	checkShown(t, b, marks)
	b.picture("hostile-1200", 1200)

	// If it were on the page, the policy would block it.
	b.eval(`new Promise(done => {
		const e = document.createElement("script"); e.textContent = "document.documentElement.dataset.ran = 'injected'"; document.body.append(e);
		const h = document.createElement("div"); h.innerHTML = '<img src="http://`+canary+`/injected" onerror="document.documentElement.dataset.ran=1"><iframe src="http://`+canary+`/injected"></iframe><a id="late" href="javascript:document.documentElement.dataset.ran=1">x</a><p id="styled" style="color: rgb(1, 2, 3)">x</p><style>#styled { background: rgb(1, 2, 3) }</style>'; document.body.append(h);
		document.getElementById("late").click();
		fetch("http://`+canary+`/fetched").then(done, done);
	})`, nil)
	var styled string
	b.eval(`getComputedStyle(document.getElementById("styled")).color + getComputedStyle(document.getElementById("styled")).backgroundColor`, &styled)
	b.eval(`"ran" in document.documentElement.dataset`, &ran)
	if ran || strings.Contains(styled, "(1, 2, 3)") || len(b.network.about(canary)) > asked {
		t.Errorf("the policy lets through: ran is %v, the style %s, requests %q", ran, styled, b.network.about(canary)[asked:])
	}
}

// checkElements checks that the page has only the elements and attributes that
// this package writes.
func checkElements(t *testing.T, b *browser) {
	t.Helper()
	var found []string
	b.eval(`[...new Set([...document.querySelectorAll("*")].flatMap(e => [e.localName, ...[...e.attributes].map(a => e.localName + "." + a.name)]))].sort()`, &found)
	allowed := strings.Fields(`a a.class a.href a.id a.rel a.target a.title article article.class article.id b b.class blockquote blockquote.class
		body br circle circle.cx circle.cy circle.r code code.class dd dd.class del details details.class details.open div div.class dl dl.class dt em
		footer footer.class h1 h2 h3 h3.class h4 h4.class h4.id h5 h5.class h5.id h6 h6.class h6.id head header header.class hr html html.lang
		i i.aria-hidden i.class ins li li.class line line.class line.x1 line.x2 line.y1 line.y2 main main.id meta meta.charset meta.content meta.http-equiv meta.name
		nav nav.aria-label nav.class ol ol.class ol.start p p.class pre pre.aria-label pre.class pre.role pre.tabindex section section.class section.id
		span span.aria-hidden span.class span.title strong style summary svg svg.aria-label svg.height svg.role svg.width
		table tbody td td.align th th.align thead time time.datetime title tr ul ul.class`)
	for _, name := range found {
		if !slices.Contains(allowed, name) {
			t.Errorf("the page has %s", name)
		}
	}
	var hrefs []string
	b.eval(`[...document.querySelectorAll("[href]")].map(e => e.getAttribute("href"))`, &hrefs)
	for _, href := range hrefs {
		if !strings.HasPrefix(href, "#") && !strings.HasPrefix(href, "http://") && !strings.HasPrefix(href, "https://") && !strings.HasPrefix(href, "mailto:") {
			t.Errorf("a link leads to %q", href)
		}
	}
	var dangling []string
	b.eval(`[...document.querySelectorAll("a[href^='#']")].map(e => e.getAttribute("href")).filter(h => !document.getElementById(h.slice(1)))`, &dangling)
	if len(dangling) > 0 {
		t.Errorf("these lead nowhere: %q", dangling)
	}
	var twice []string
	b.eval(`[...document.querySelectorAll("[id]")].map(e => e.id).filter((id, i, all) => all.indexOf(id) != i)`, &twice)
	if len(twice) > 0 {
		t.Errorf("these ids are there twice: %q", twice)
	}
}

// checkShown finds every field on the page, and every attack as plain text.
func checkShown(t *testing.T, b *browser, marks []string) {
	t.Helper()
	var shown string
	b.eval(`document.body.innerText`, &shown)
	lower := strings.ToLower(shown) // some headings are in capitals
	for _, mark := range marks {
		if !strings.Contains(lower, strings.ToLower(mark)) {
			t.Errorf("%s is not shown", mark)
		}
	}
	for _, attack := range attacks() {
		if !strings.Contains(lower, strings.ToLower(attack)) {
			t.Errorf("not shown as it is: %s", attack)
		}
	}
	if bad := strings.IndexFunc(shown, func(r rune) bool { return r == 0x1b || r == 0x202e || r == 7 || r == 0 }); bad >= 0 {
		t.Errorf("a character that is no text is shown: %q", shown[max(0, bad-40):bad+10])
	}
}

// The page is as wide as the window, in light and in dark, with any content.
func pageFitsAndFollowsTheReader(t *testing.T, b *browser) {
	hostile, _ := hostileSession()
	hostile.Title = safe.New(strings.Repeat("W", 400))
	pages := map[string]string{"usual": saved(t, write(t, fixture(t))), "hostile": saved(t, write(t, hostile))}
	widths := map[string][]int{"usual": {320, 400, 800, 1200}, "hostile": {320, 1200}}
	for name, url := range pages {
		colours := map[string]bool{}
		b.open(url)
		b.eval(openAll, nil)
		for _, width := range widths[name] {
			for _, scheme := range []string{"light", "dark"} {
				b.see(width, scheme)
				var needs int
				b.eval(`document.documentElement.scrollWidth`, &needs)
				if needs > width {
					var wide []string
					b.eval(`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.localName + "." + e.className + ": " + e.textContent.slice(0, 60)).slice(0, 9)`, &wide)
					t.Errorf("%s at %d takes %d: %q", name, width, needs, wide)
				}
				var colour string
				b.eval(`getComputedStyle(document.body).backgroundColor`, &colour)
				colours[scheme+colour] = true
				b.picture(fmt.Sprintf("%s-%d-%s", name, width, scheme), width)
			}
		}
		if len(colours) != 2 || colours["light"+"rgb(247, 246, 242)"] == colours["dark"+"rgb(247, 246, 242)"] {
			t.Errorf("%s has the colours %v", name, colours)
		}
	}
}
