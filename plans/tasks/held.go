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

// AsBefore returns a review's text with its tasks as they stand in earlier texts, each as in the
// first of these that has it. A task that is in none of them is left out. What stands above the
// tasks stays.
func AsBefore(text safe.Text, earlier []safe.Text) safe.Text {
	list, _ := SplitReview(text)
	head, sections := cutTasks(list)
	known := make([]map[string]string, len(earlier))
	for i, text := range earlier {
		list, _ := SplitReview(text)
		known[i] = map[string]string{}
		_, tasks := cutTasks(list)
		for _, task := range tasks {
			known[i][task.key] = task.text
		}
	}
	var parts []string
	if head = strings.TrimRight(head, "\n"); head != "" {
		parts = append(parts, head)
	}
	for _, task := range sections {
		for _, tasks := range known {
			if before, found := tasks[task.key]; found {
				parts = append(parts, strings.TrimRight(before, "\n"))
				break
			}
		}
	}
	return safe.New(strings.TrimSuffix(text.Raw(), list.Raw()) + strings.Join(parts, "\n\n") + "\n")
}

// cut is a task of a text, with its heading.
type cut struct{ key, text string }

// cutTasks cuts a text into its tasks and what stands above them.
func cutTasks(list safe.Text) (head string, sections []cut) {
	lines := strings.SplitAfter(list.Raw(), "\n")
	d := outlined(list)
	from := func(i int) int {
		if i < len(d.Lines) {
			return d.Lines[i] - 1
		}
		return len(lines)
	}
	for i, item := range d.Items {
		sections = append(sections, cut{item.Key, strings.Join(lines[from(i):from(i+1)], "")})
	}
	return strings.Join(lines[:from(0)], ""), sections
}
