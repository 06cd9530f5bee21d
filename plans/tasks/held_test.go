package tasks_test

import (
	"slices"
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
