package tui

import (
	"fmt"
	"time"
)

// ago says how long before now a moment was, as short as a person would; what
// is days away is given by its date, in now's time zone.
func ago(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(now.Location())
	switch d := now.Sub(at); {
	case d < time.Minute: // clocks of two machines may differ a little
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 12*time.Hour || sameDay(at, now):
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	case sameDay(at, now.AddDate(0, 0, -1)):
		return "yesterday"
	case d < 7*24*time.Hour:
		return at.Format("Monday")
	case at.Year() == now.Year():
		return at.Format("2 Jan")
	}
	return at.Format("2 Jan 2006")
}

// moment is a time with its date, in now's time zone.
func moment(at, now time.Time) string {
	at = at.In(now.Location())
	switch {
	case sameDay(at, now):
		return "today " + at.Format("15:04")
	case at.Year() == now.Year():
		return at.Format("2 Jan 15:04")
	}
	return at.Format("2 Jan 2006 15:04")
}

// upTo is a time to come, with its date unless that is today, in now's time zone.
func upTo(at, now time.Time) string {
	at = at.In(now.Location())
	switch {
	case sameDay(at, now):
		return at.Format("15:04")
	case sameDay(at, now.AddDate(0, 0, 1)):
		return "tomorrow " + at.Format("15:04")
	}
	return moment(at, now)
}

func sameDay(a, b time.Time) bool {
	ay, am, ad := a.Date()
	by, bm, bd := b.Date()
	return ay == by && am == bm && ad == bd
}

// kilobytes is a size for a person.
func kilobytes(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
