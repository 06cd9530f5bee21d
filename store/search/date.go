package search

import (
	"strconv"
	"strings"
	"time"
)

// Dates says in words which dates Date reads.
const Dates = "a day, month or year such as 2026-05-17, 2026-05 or 2026, or a time ago such as 12h, 7d or 3w"

// Date reads the first moment of a day, month or year, or a time ago such as 7d.
func Date(value string, now time.Time) (at time.Time, ok bool) {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if at, err := time.ParseInLocation(layout, value, now.Location()); err == nil {
			return at, true
		}
	}
	return parseAgo(value, now)
}

// parseDate reads the date of a filter.
func parseDate(filter, value string, now time.Time) (time.Time, error) {
	at, ok := Date(value, now)
	if !ok {
		return time.Time{}, &Problem{Filter: filter + ":" + value, Allowed: Dates}
	}
	return at, nil
}

func parseAgo(value string, now time.Time) (time.Time, bool) {
	const most = 100_000 // of any unit; the calendar can subtract that
	digits := strings.TrimRight(value, "hdw")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > most || len(value) != len(digits)+1 {
		return time.Time{}, false
	}
	switch value[len(digits):] {
	case "h":
		return now.Add(-time.Duration(n) * time.Hour), true
	case "d":
		return now.AddDate(0, 0, -n), true
	default:
		return now.AddDate(0, 0, -7*n), true
	}
}
