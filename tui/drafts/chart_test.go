package drafts

import (
	"fmt"
	"testing"

	"planb/drafts/schedule"
)

// The months that have a name are evenly far from each other, and each name stands where its
// month begins; that of the first month stands above the first day.
func TestTheMonthsOfAChart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		start      string
		days, room int
		want       string
	}{
		{"2026-12-01", 90, 60, "2026-12             2027-01              2027-02"},
		{"2026-12-01", 570, 70, "2026-12    2027-03    2027-06    2027-09    2027-12     2028-03"},
		{"2026-12-10", 90, 60, "2026-12       2027-01              2027-02"},
		{"2026-12-28", 90, 60, "  2027-01              2027-02            2027-03"},
		{"2026-12-10", 20, 12, "2026-12"},
		{"2026-12-01", 20, 5, ""},
	} {
		start, err := schedule.ParseDate(c.start)
		if err != nil {
			t.Fatal(err)
		}
		chart := chart{placed: &schedule.Schedule{Start: start}, days: c.days}
		if got := chart.months(c.room); got != c.want {
			t.Errorf("%d days from %s in %d cells:\n%q, want\n%q", c.days, c.start, c.room, got, c.want)
		}
	}
}

func TestHowMuchAScheduleMisses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		slack []int
		want  string
	}{
		{[]int{13, 0}, ""},
		{[]int{13, -7}, "1 fixed day missed, by 7 days"},
		{[]int{-1, -7, 3}, "2 fixed days missed, by 7 days at most"},
	} {
		placed := &schedule.Schedule{}
		for i, slack := range c.slack {
			placed.Deadlines = append(placed.Deadlines, schedule.Deadline{ID: fmt.Sprintf("M%d", i), Slack: slack})
		}
		if got := missedBy(placed, " missed"); got != c.want {
			t.Errorf("%d: %q, want %q", c.slack, got, c.want)
		}
	}
}
