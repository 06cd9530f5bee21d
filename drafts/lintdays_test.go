package drafts_test

import (
	"strings"
	"testing"

	"planb/drafts/draftstest"
	"planb/drafts/shape"
)

// Section 2: a day beside the name of a task or a milestone that the schedule does not have
// for it is told; a day for something else is not. Doors open is a milestone of the workshop,
// reached 2027-04-21 and due 2027-06-01; "Wait for the written answer" is a task from
// 2026-12-08 to 2026-12-28.
func TestOtherDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, found string }{
		{"- 2027-07-15: Doors open", "2027-07-15"},
		{"**2027-07-15** – Doors open, with a speech.", "2027-07-15"},
		{"First: Doors open (2027-08-01), then members are won.", "2027-08-01"},
		{"The doors open on 2027-07-15 with both kinds of repairs.", "2027-07-15"},
		{"Alles ist bereit: Doors open bis zum 2027-07-15.", "2027-07-15"},
		{"Wait for the written answer: 2027-01-20", "2027-01-20"},
		{"If it rains, all is moved inside. The doors open on 2027-07-15.", "2027-07-15"},

		{"- 2027-07-15: doors open day of the whole street", ""},
		{"- 2027-06-01: Doors open", ""},
		{"- 2027-04-21: Doors open", ""},
		{"The doors open by 2027-05-01, a month before the day that was promised.", ""},
		{"Wait for the written answer (2026-12-08 to 2026-12-28)", ""},
		{"If the trade office says no, the doors open on 2027-07-15.", ""},
		{"Without insurance the doors open on 2027-07-15 instead.", ""},
		{"Sonst: Doors open am 2027-07-15.", ""},
		{"Two weeks after the doors open (2027-07-15) the repairs are counted.", ""},
		{"Six weeks after the promised day, 2027-07-15: doors open or not, the books are looked at.", ""},
		{"Doors open. On 2027-07-15 the repairs are counted.", ""},
		{"The doors open and by 2027-07-15 sixty repairs are done.", ""},
		{"Outdoors opened on 2027-07-15", ""},
		{"The doors open on 2027-07-15 at the latest, or the grant is lost.", ""},
		{"The insurer wants to see that the doors open on 2027-07-15 or later.", ""},
		{"Counted on 2027-07-15: doors opened, parts bought, members won.", ""},
	} {
		d := draftstest.FullUpTo(t, "")
		chapter := d.Output("summary").Records("chapters")[0]
		chapter["text"] = append(chapter["text"].([]any), c.text)
		var found []string
		for _, f := range d.Lint() {
			if strings.Contains(f.Got, " beside ") {
				found = append(found, f.Step+" "+f.String())
			}
		}
		switch {
		case c.found == "" && len(found) > 0:
			t.Errorf("%q: told %q", c.text, found)
		case c.found != "" && (len(found) != 1 || !strings.HasPrefix(found[0], "summary chapters[0].text[") || !strings.Contains(found[0], c.found+" beside \"")):
			t.Errorf("%q: told %q", c.text, found)
		}
	}
}

// What is imagined or proposed has other days on purpose, and a draft without a schedule
// has none to compare.
func TestOtherDaysOnPurpose(t *testing.T) {
	t.Parallel()
	wrong := "The doors open on 2027-07-15."
	d := draftstest.FullUpTo(t, "")
	d.Output("premortem").Records("failures")[0]["story"] = wrong
	d.Output("review").Records("findings")[0]["do"] = wrong
	d.Output("risks").Records("rules")[0]["then"] = wrong
	unplaced := draftstest.FullUpTo(t, "schedule")
	unplaced.Output("risks").Records("risks")[0]["action"] = wrong
	for _, f := range append(d.Lint(), unplaced.Lint()...) {
		if strings.Contains(f.Got, "2027-07-15") {
			t.Errorf("told %s", f)
		}
	}
	d = draftstest.FullUpTo(t, "")
	d.Output("risks").Records("risks")[0]["action"] = wrong
	var got []shape.Problem
	for _, f := range d.Lint() {
		if strings.Contains(f.Got, "2027-07-15") {
			got = append(got, f.Problem)
		}
	}
	want := shape.Problem{Path: "risks[0].action", Got: `2027-07-15 beside "doors open"`, Allowed: "a day from 2027-04-17 to 2027-06-01, as the schedule has it"}
	if len(got) != 1 || got[0] != want {
		t.Errorf("an action of a risk: told %+v, want %+v", got, want)
	}
}
