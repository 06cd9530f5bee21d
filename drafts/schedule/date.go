package schedule

import (
	"fmt"
	"time"
)

// Date is a day of the calendar, without a time and without a zone. The zero
// Date is no day.
type Date struct{ at time.Time }

// ParseDate reads a date such as 2027-01-31, from the year 1900 to 2999.
func ParseDate(s string) (Date, error) {
	at, err := time.Parse(time.DateOnly, s)
	if err != nil || at.Year() < 1900 || at.Year() > 2999 {
		return Date{}, fmt.Errorf("got %q; allowed: a day from 1900 to 2999, as 2027-01-31", s)
	}
	return Date{at}, nil
}

func (d Date) IsZero() bool { return d.at.IsZero() }

// String returns the date as 2027-01-31; empty for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return d.at.Format(time.DateOnly)
}

// Words returns the date as people write it: 31 January 2027; empty for the zero Date.
func (d Date) Words() string {
	if d.IsZero() {
		return ""
	}
	return d.at.Format("2 January 2006")
}

// AddDays returns the date n days later.
func (d Date) AddDays(n int) Date { return Date{d.at.AddDate(0, 0, n)} }

// AddMonths returns the same day n months later, or the last day of that month
// if the month is shorter.
func (d Date) AddMonths(n int) Date {
	first := time.Date(d.at.Year(), d.at.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return Date{first.AddDate(0, 0, min(d.at.Day(), last)-1)}
}

// DaysUntil returns how many days e is after d; negative if e is before d.
func (d Date) DaysUntil(e Date) int {
	const secondsOfDay = 24 * 60 * 60
	return int((e.at.Unix() - d.at.Unix()) / secondsOfDay)
}
