package tasks

import (
	"slices"
	"strings"

	"planb/questions/safe"
)

// TasksBelow is the line of a review's text that parts what stands above the tasks from them.
const TasksBelow = "<!-- The tasks of this plan -->"

// SplitReview returns the part of a review's text with the tasks, and how many lines
// stand above it.
func SplitReview(text safe.Text) (list safe.Text, above int) {
	before, after, found := strings.Cut(text.Raw(), TasksBelow+"\n\n")
	if !found {
		return text, 0
	}
	return safe.New(after), strings.Count(before, "\n") + 2
}

// HeldBack returns the nodeKeys of the tasks that a person holds back with the sections of a
// review's text whose headings stand on some lines, in the order of the text.
func HeldBack(text safe.Text, headings []int) (keys []string) {
	list, above := SplitReview(text)
	d := outlined(list)
	held := map[string]bool{}
	for _, line := range headings {
		for _, key := range d.At(line - above) {
			held[key] = true
		}
	}
	for _, item := range d.Items {
		if held[item.Key] && !slices.Contains(keys, item.Key) {
			keys = append(keys, item.Key)
		}
	}
	return keys
}

// Keys returns the nodeKeys that stand in the headings of a review's text.
func Keys(text safe.Text) (keys []string) {
	list, _ := SplitReview(text)
	for _, item := range outlined(list).Items {
		keys = append(keys, item.Key)
	}
	return keys
}

// outlined reads of a text only the headings of its tasks.
func outlined(list safe.Text) (d Document) {
	lines, code := scan(list.Raw())
	for i, line := range lines {
		if level, heading := taskHeading(line); level == 2 && !code[i] {
			_, key := splitHeading(heading)
			d.Items = append(d.Items, Item{Seed: Seed{Key: key}})
			d.Lines = append(d.Lines, i+1)
		}
	}
	return d
}
