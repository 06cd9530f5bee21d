package wording

import (
	"testing"
	"time"
)

func TestAgo(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC) // a Friday
	for want, at := range map[string]time.Time{
		"":            {},
		"just now":    now.Add(time.Second), // another machine's clock
		"59 min ago":  now.Add(-59*time.Minute - 59*time.Second),
		"1 h ago":     now.Add(-time.Hour),
		"13 h ago":    time.Date(2026, 11, 20, 0, 30, 0, 0, time.UTC),
		"yesterday":   time.Date(2026, 11, 19, 1, 0, 0, 0, time.UTC),
		"Wednesday":   time.Date(2026, 11, 18, 23, 0, 0, 0, time.UTC),
		"1 Nov":       time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC),
		"20 Nov 2025": time.Date(2025, 11, 20, 15, 0, 0, 0, time.UTC),
	} {
		if got := Ago(at, now); got != want {
			t.Errorf("%v is %q ago, want %q", at, got, want)
		}
	}
	berlin := time.FixedZone("CET", 3600)
	if got := Moment(time.Date(2026, 11, 19, 23, 30, 0, 0, time.UTC), now.In(berlin)); got != "today 00:30" {
		t.Errorf("the moment is %q", got)
	}
}

func TestMinutes(t *testing.T) {
	for n, want := range map[int]string{0: "0 min", 30: "30 min", 60: "1 h", 90: "1 h 30 min", 50 * 60: "50 h"} {
		if got := Minutes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestLasted(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0 s", 90 * time.Second: "90 s", 2 * time.Minute: "2 min", 119 * time.Minute: "119 min", 47 * time.Hour: "47 h", 49 * time.Hour: "2 days",
	} {
		if got := Lasted(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
