package schedule

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Relation says which ends of two leaves a link ties together.
type Relation string

// The relations. The first letter is the end of the leaf that is waited for, the
// second the end of the leaf that waits.
const (
	FinishStart  Relation = "FS"
	StartStart   Relation = "SS"
	FinishFinish Relation = "FF"
	StartFinish  Relation = "SF"
)

// Link is one entry of an After.
type Link struct {
	ID       string
	Relation Relation
	Lag      int // days, from -3650 to 3650
}

// ParseLink reads an entry of an After: an id, then a relation or none (FS), then
// a lag with its sign or none: "2.2.1", "2.1+3", "2.2.1SS+1", "3.1.1FF-1".
func ParseLink(s string) (link Link, ok bool) {
	end := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(s)
	}
	link = Link{ID: s[:end], Relation: FinishStart}
	rest := s[end:]
	for _, r := range []Relation{FinishStart, StartStart, FinishFinish, StartFinish} {
		if after, found := strings.CutPrefix(rest, string(r)); found {
			link.Relation, rest = r, after
			break
		}
	}
	if _, valid := numbers(link.ID); !valid {
		return Link{}, false
	}
	if rest == "" {
		return link, true
	}
	lag, err := strconv.Atoi(rest)
	if err != nil || rest[0] != '+' && rest[0] != '-' || lag < -maxDays || lag > maxDays {
		return Link{}, false
	}
	link.Lag = lag
	return link, true
}

// String returns the link as ParseLink reads it.
func (l Link) String() string {
	text := l.ID
	if l.Relation != FinishStart {
		text += string(l.Relation)
	}
	switch {
	case l.Lag > 0:
		text += "+" + strconv.Itoa(l.Lag)
	case l.Lag < 0:
		text += strconv.Itoa(l.Lag)
	}
	return text
}

// compareIDs orders ids by their numbers: 1.9 before 1.10, 1 before 1.1.
func compareIDs(a, b string) int {
	x, _ := numbers(a)
	y, _ := numbers(b)
	return cmp.Or(slices.Compare(x, y), cmp.Compare(a, b))
}

// numbers splits an id. Each part is a number from 1 to 9999 without leading zeros.
func numbers(id string) (parts []int, ok bool) {
	const digits = 4
	for part := range strings.SplitSeq(id, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || len(part) > digits || n < 1 || strconv.Itoa(n) != part {
			return nil, false
		}
		parts = append(parts, n)
	}
	return parts, true
}

// childOf reports whether an id is its parent's and one number more. The parent
// of a phase is empty.
func childOf(id, parent string) bool {
	if _, ok := numbers(id); !ok {
		return false
	}
	head, last := "", id
	if dot := strings.LastIndexByte(id, '.'); dot >= 0 {
		head, last = id[:dot], id[dot+1:]
	}
	return head == parent && last != ""
}
