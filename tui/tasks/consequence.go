package tasks

import (
	"fmt"
	"slices"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/tui/wording"
)

// named is the title of one task, or how many they are.
func (p *plan) named(tasks []int) string {
	if len(tasks) == 1 {
		return wording.Quote(p.title(tasks[0]))
	}
	return wording.Count(len(tasks), "task")
}

// workers names who works on tasks.
func (p *plan) workers(tasks []int) (names []string) {
	for _, n := range tasks {
		name := safe.New(p.view.Claims[n].Worker).Line()
		if name == "" {
			name = "Its agent"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// it is the pronoun for tasks.
func it(tasks []int) string {
	if len(tasks) == 1 {
		return "it"
	}
	return "them"
}

// readied returns the tasks that become ready once some have ended.
func (p *plan) readied(ended []int) []int {
	situation := p.Situation(p.view.Now)
	situation.Marks = slices.Clone(situation.Marks)
	view := rules.Look(situation)
	var ready []int
	for _, n := range ended {
		ready = append(ready, view.Settle(n, rules.Cancelled)...)
	}
	return slices.DeleteFunc(ready, func(n int) bool { return slices.Contains(ended, n) })
}

// makesReady says what becomes ready once tasks have ended.
func (p *plan) makesReady(ended []int) string {
	ready := p.readied(ended)
	if len(ready) == 0 {
		return "No other task becomes ready by this."
	}
	return "This makes ready: " + p.listed(ready) + "."
}

// ifReleased says what follows if tasks are taken from who works on them.
func (p *plan) ifReleased(held []int) string {
	workers := p.workers(held)
	told := " is told with its next call, and what it reports then is kept, but does not count."
	if len(workers) > 1 {
		told = " are told with their next call, and what they report then is kept, but does not count."
	}
	return "Others may claim " + it(held) + " at once. " + wording.List(workers) + told
}

// ifCancelled says what follows if tasks are cancelled.
func (p *plan) ifCancelled(tasks []int) string {
	words := p.makesReady(tasks) + " This cannot be undone."
	held := only(tasks, func(n int) bool { return p.view.State(n).Held() })
	if len(held) == 0 {
		return words
	}
	what := it(tasks)
	if len(held) < len(tasks) {
		what = p.named(held)
	}
	workers := p.workers(held)
	if len(workers) == 1 {
		return workers[0] + " works on " + what + ", and is told with its next call. " + words
	}
	return wording.List(workers) + " work on " + what + ", and are told with their next call. " + words
}

// listed names tasks, at most a few of them.
func (p *plan) listed(tasks []int) string {
	const most = 3
	var names []string
	for _, n := range tasks[:min(len(tasks), most)] {
		names = append(names, wording.Quote(p.title(n)))
	}
	if rest := len(tasks) - most; rest > 0 {
		names = append(names, fmt.Sprintf("%d more", rest))
	}
	return wording.List(names)
}
