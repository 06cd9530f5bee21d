package tasks_test

import (
	"slices"
	"strings"
	"testing"

	"planb/plans/tasks"
	"planb/questions/safe"
)

// T22: a section that is held back holds the task that it stands in; one above all tasks holds all.
func TestT22WhichTasksAreHeldBack(t *testing.T) {
	const list = "# Shop\n\nIn May.\n\n## Schema {#schema}\n\n```\n## none {#none}\n```\n\n### Errors\n\n## API {#api}\n\nafter: schema\n"
	const with = "# The plan\n\n## Why {#why}\n\n" + tasks.TasksBelow + "\n\n" + list
	for _, test := range []struct {
		text     string
		withheld []int
		want     []string
	}{
		{list, nil, nil}, {list, []int{5}, []string{"schema"}}, {list, []int{11}, []string{"schema"}}, {list, []int{13}, []string{"api"}},
		{list, []int{5, 11, 13}, []string{"schema", "api"}}, {list, []int{1}, []string{"schema", "api"}},
		{with, []int{3}, []string{"schema", "api"}}, {with, []int{11}, []string{"schema"}}, {with, []int{19}, []string{"api"}},
	} {
		if got := tasks.HeldBack(safe.New(test.text), test.withheld); !slices.Equal(got, test.want) {
			t.Errorf("with the lines %v of\n%s\nheld back are %v, want %v", test.withheld, test.text, got, test.want)
		}
	}
	if got := tasks.Keys(safe.New(with)); !slices.Equal(got, []string{"schema", "api"}) {
		t.Errorf("the keys are %v", got)
	}
}

// A text is compared with its tasks as they stood before, each in the newest text that has it.
func TestTheTasksOfATextAsTheyStoodBefore(t *testing.T) {
	const (
		first = "# Shop\n\nIn May.\n\n## Schema {#schema}\n\n```\n## API {#api}\n```\n\n## API {#api}\n\nafter: schema\n\n## Docs {#docs}\n"
		later = "A note.\n\n" + tasks.TasksBelow + "\n\n# Shop\n\n## Write the API {#api}\n\nafter: schema\n"
	)
	now := safe.New("# The plan\n\n" + tasks.TasksBelow + "\n\n# Shop\n\nIn June.\n\n## Serve the API {#api}\n\n## Tests {#tests}\n\n## All schemas {#schema}\n")
	want := "# The plan\n\n" + tasks.TasksBelow + "\n\n# Shop\n\nIn June.\n\n## Write the API {#api}\n\nafter: schema\n\n## Schema {#schema}\n\n```\n## API {#api}\n```\n"
	if got := tasks.AsBefore(now, []safe.Text{safe.New(later), safe.New(first)}); got.Raw() != want {
		t.Errorf("before it was\n%s\nwant\n%s", got.Raw(), want)
	}
	if got := tasks.AsBefore(safe.New("## New {#new}\n"), []safe.Text{safe.New(first)}); strings.TrimSpace(got.Raw()) != "" {
		t.Errorf("new tasks were %q before", got.Raw())
	}
}
