package wording

import (
	"fmt"
	"strings"
)

// Count says how many of something there are.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Plural is a number with its noun; empty for none.
func Plural(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return Count(n, noun)
}

// PlanVersion names the newest version of a plan; empty if there is none.
func PlanVersion(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("plan v%d", n)
}

// List is a list within a sentence.
func List(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// Waiting counts the forms that wait.
func Waiting(n int) string {
	if n == 1 {
		return "1 form waits"
	}
	return fmt.Sprintf("%d forms wait", n)
}

// NeedYou says how many things need the person: "1 needs you", "4 need you".
func NeedYou(n int) string {
	if n == 1 {
		return "1 needs you"
	}
	return fmt.Sprintf("%d need you", n)
}
