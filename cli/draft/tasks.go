package draft

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/drafts"
	"planb/drafts/schedule"
	"planb/drafts/shape"
	rules "planb/plans/tasks"
	"planb/store"
)

func (c Commands) tasksCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "tasks DRAFT",
		Short: "Propose the work breakdown of a draft as a plan of tasks",
		Long: "Propose the work breakdown of a draft as a plan of tasks of this project, with what waits for what. Each is a task for a\n" +
			"person, and is done when its deliverable is there. Nothing begins before you approve it: planb tasks approve.",
		Example:           "  planb draft tasks 3f9a1c",
		Args:              one,
		ValidArgsFunction: c.offer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.proposeTasks(cmd.Context(), args[0], asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the proposal as JSON, and propose nothing")
	return command
}

func (c Commands) proposeTasks(ctx context.Context, name string, asJSON bool) error {
	return c.WithStore(ctx, func(ctx context.Context, st *store.Store) error {
		w, err := c.find(ctx, st, name)
		if err != nil {
			return err
		}
		if w.Draft.Output("schedule") == nil {
			return fmt.Errorf("draft %s has no work breakdown yet: %s are written", store.ShortID(w.ID), progress(w.Summary))
		}
		p := proposal{Title: titleOf(w.Summary), Tasks: leaves(w.Draft)}
		if asJSON {
			if text := outdated(w.Draft); text != "" {
				if err := ink.Note(c.Stderr, c.Env.Pairs(), c.Theme, text); err != nil {
					return err
				}
			}
			return frame.PrintJSON(c.Stdout, p)
		}
		raw, err := json.Marshal(p)
		if err != nil {
			return err
		}
		id, there, err := c.Propose(ctx, st, w.Session, raw)
		if err != nil {
			return fmt.Errorf("the tasks were not proposed: %w", err)
		}
		text := proposed(len(p.Tasks), rules.Short(id), there)
		if old := outdated(w.Draft); old != "" {
			text = old + " " + text
		}
		return c.Tell(text + "\n")
	})
}

// proposed says where the person finds the plan of so many tasks. there is how it stands, if it was
// there before.
func proposed(tasks int, plan string, there rules.Status) string {
	const approve = " Look at them and approve them with  planb tasks approve "
	switch there {
	case "":
		return fmt.Sprintf("%d tasks are proposed.", tasks) + approve + plan
	case rules.PlanProposed:
		return fmt.Sprintf("The %d tasks were proposed before, and wait for you.", tasks) + approve + plan
	}
	return fmt.Sprintf("You approved the %d tasks before. Look at them with  planb tasks show %s", tasks, plan)
}

// outdated says which steps of the work breakdown have to be written again; empty for none.
func outdated(d drafts.Draft) string {
	standings := d.Standings()
	var again []string
	for _, step := range d.Steps() {
		if strings.HasPrefix(step.ID, "tasks") || step.ID == "wbs" || step.ID == "schedule" {
			if d.Output(step.ID) != nil && !standings[step.ID].Done() {
				again = append(again, step.Name)
			}
		}
	}
	if len(again) == 0 {
		return ""
	}
	return "Out of date, because what they were written from has changed: " + strings.Join(again, ", ") + "."
}

// proposal is a plan of tasks as an agent would propose it.
type proposal struct {
	Title string `json:"title"`
	Tasks []task `json:"tasks"`
}

type task struct {
	Key         string         `json:"nodeKey"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	DependsOn   []string       `json:"dependsOn,omitempty"`
	Minutes     int            `json:"estimateMinutes"`
	Execution   map[string]any `json:"executionContract"`
	Criteria    []string       `json:"acceptanceCriteria,omitempty"`
}

// leaves are the pieces of work of a draft, each with what it waits for.
func leaves(d drafts.Draft) (list []task) {
	const minutesOfDay = 8 * 60
	parents := map[string]shape.Object{}
	for _, phase := range d.Output("wbs").Records("phases") {
		for _, t := range phase.Records("tasks") {
			parents[t.Text("id")] = t
		}
	}
	placed := d.Output("schedule").Records("leaves")
	waits := waitsFor(placed, d.Flags.PhaseOrder)
	for _, l := range placed {
		id := l.Text("id")
		of := parents[taskOf(id)]
		when := fmt.Sprintf("From %s to %s, %d days.", l.Text("start"), l.Text("end"), l.Int("days"))
		if l.Int("days") == 1 {
			when = "On " + l.Text("start") + "."
		}
		about := fmt.Sprintf("%s By %s, for: %s.", when, of.Text("owner"), strings.TrimSuffix(of.Text("deliverable"), "."))
		if l.Flag("wait") {
			about += " Others work on it; this is about waiting for them."
		}
		list = append(list, task{
			Key: id, Title: l.Text("name"), Description: d.WriteOut(about), DependsOn: waits[id], Minutes: min(l.Int("days")*minutesOfDay, rules.MaxMinutes),
			Execution: map[string]any{"kind": rules.Human}, Criteria: []string{d.WriteOut(of.Text("deliverable"))},
		})
	}
	return list
}

// taskOf is the task of a leaf: 2.3 of 2.3.1.
func taskOf(leaf string) string {
	parts := strings.Split(leaf, ".")
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

// waitsFor returns for each leaf the leaves that have to end before it begins. They come
// from its links. If a leaf has no such link and the phases follow each other, it waits
// for the last leaves of the phase before.
func waitsFor(placed []shape.Object, phaseOrder bool) map[string][]string {
	waits := map[string][]string{}
	followed := map[string]bool{}
	phases := map[string][]string{}
	phaseOf := func(id string) string { return strings.Split(id, ".")[0] }
	var order []string
	for _, l := range placed {
		id := l.Text("id")
		phase := phaseOf(id)
		if len(phases[phase]) == 0 {
			order = append(order, phase)
		}
		phases[phase] = append(phases[phase], id)
		for _, text := range l.Texts("after") {
			link, ok := schedule.ParseLink(text)
			if !ok || link.Relation != schedule.FinishStart {
				continue // the two overlap
			}
			for _, other := range placed {
				if before := other.Text("id"); before == link.ID || taskOf(before) == link.ID {
					waits[id] = append(waits[id], before)
					followed[before] = followed[before] || phaseOf(before) == phase
				}
			}
		}
	}
	if !phaseOrder {
		return waits
	}
	for i, phase := range order[1:] {
		for _, id := range phases[phase] {
			for _, before := range phases[order[i]] {
				if len(waits[id]) < rules.MaxDependsOn && !followed[before] && !waitsWithin(waits[id], phase) {
					waits[id] = append(waits[id], before)
				}
			}
		}
	}
	return waits
}

// waitsWithin reports whether one of the ids is in a phase.
func waitsWithin(ids []string, phase string) bool {
	for _, id := range ids {
		if strings.HasPrefix(id, phase+".") {
			return true
		}
	}
	return false
}
