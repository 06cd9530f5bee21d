package search

import (
	"strconv"
	"strings"
	"time"
)

// parseDate reads the date of a filter: the first moment of a day, month or year, or
// a time ago such as 7d.
func parseDate(filter, value string, now time.Time) (time.Time, error) {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if at, err := time.ParseInLocation(layout, value, now.Location()); err == nil {
			return at, nil
		}
	}
	if at, ok := parseAgo(value, now); ok {
		return at, nil
	}
	return time.Time{}, &Problem{
		Filter:  filter + ":" + value,
		Allowed: "a day, month or year such as 2026-05-17, 2026-05 or 2026, or a time ago such as 12h, 7d or 3w",
	}
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
