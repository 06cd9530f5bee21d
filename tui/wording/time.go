package wording

import (
	"fmt"
	"time"

	"planb/plans/tasks"
)

// Ago says how long before now a moment was, as short as a person would: "5 min ago",
// "yesterday", the weekday, and its date if it was a week ago or more, in now's time zone.
func Ago(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(now.Location())
	switch d := now.Sub(at); {
	case d < time.Minute: // clocks of two machines may differ a little
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 12*time.Hour || SameDay(at, now):
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	case SameDay(at, now.AddDate(0, 0, -1)):
		return "yesterday"
	case d < 7*24*time.Hour:
		return at.Format("Monday")
	case at.Year() == now.Year():
		return at.Format("2 Jan")
	}
	return at.Format("2 Jan 2006")
}

// Moment is a time with its date, in now's time zone.
func Moment(at, now time.Time) string {
	at = at.In(now.Location())
	switch {
	case SameDay(at, now):
		return "today " + at.Format("15:04")
	case at.Year() == now.Year():
		return at.Format("2 Jan 15:04")
	}
	return at.Format("2 Jan 2006 15:04")
}

// Until is a time to come, with its date unless that is today, in now's time zone.
func Until(at, now time.Time) string {
	at = at.In(now.Location())
	switch {
	case SameDay(at, now):
		return at.Format("15:04")
	case SameDay(at, now.AddDate(0, 0, 1)):
		return "tomorrow " + at.Format("15:04")
	}
	return Moment(at, now)
}

// When is a moment in a sentence, as briefly as it is clear: the time today, else
// the date.
func When(at, now time.Time) string {
	at = at.In(now.Location())
	switch {
	case SameDay(at, now):
		return "at " + at.Format("15:04")
	case at.Year() == now.Year():
		return "on " + at.Format("2 Jan 15:04")
	}
	return "on " + at.Format("2 Jan 2006")
}

// SameDay reports whether two moments are of one date, each in its own time zone.
func SameDay(a, b time.Time) bool {
	ay, am, ad := a.Date()
	by, bm, bd := b.Date()
	return ay == by && am == bm && ad == bd
}

// Minutes is a length of work in whole minutes: 45 min, 3 h, 3 h 30 min.
func Minutes(n int) string {
	switch hours, minutes := n/60, n%60; {
	case hours == 0:
		return fmt.Sprintf("%d min", minutes)
	case minutes == 0:
		return fmt.Sprintf("%d h", hours)
	default:
		return fmt.Sprintf("%d h %d min", hours, minutes)
	}
}

// Lasted is a time that has passed, in its largest unit of which there are two or more.
func Lasted(d time.Duration) string { return tasks.Lasted(d) }
