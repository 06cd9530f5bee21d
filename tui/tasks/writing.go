package tasks

import (
	"context"
	"errors"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	rules "planb/plans/tasks"
	"planb/tui/editor/external"
	"planb/tui/wording"
)

// write makes the command that writes a decision.
func (d *decider) write(work func(ctx context.Context) decided) tea.Cmd {
	return d.writes.Begin(func(ctx context.Context) (tea.Msg, error) {
		said := work(ctx)
		return said, said.err
	})
}

// close waits for the decisions that are being written, and returns the failures that no
// screen has shown. It keeps what the person wrote in vain in files, and says where.
func (d *decider) close(ctx context.Context) (parting []string, err error) {
	failed, err := d.writes.Wait(ctx)
	for _, fault := range failed {
		parting = append(parting, undone(fault))
	}
	if left := d.back.Load(); left != nil {
		d.refuse(left.n, left.text, errors.New("planb ended"))
	}
	for _, n := range slices.Sorted(maps.Keys(d.refused)) {
		parting = append(parting, external.Parting(d.plan.TaskID(n), d.plan.named([]int{n}), d.refused[n].text)...)
	}
	return parting, err
}

func undone(err error) string {
	return "That could not be done: " + wording.Sentence(rules.Plainly(err))
}
