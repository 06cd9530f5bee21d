package tasks

import (
	"errors"
	"slices"
)

// AmendWhatApplies applies the items of a change that Amend and Build still accept, and
// returns the plan and its graph. The change was proposed for an earlier state of the
// plan; since then agents went on with their work, and the person decided and edited.
// outdated are the nodeKeys of the items that are left out, in their order: a new
// wording for a task that is done or cancelled, the cancelling or the split of a task
// that was begun or decided, and items that would close a cycle. A task that waited for
// a part of such a split waits for the whole task instead.
func (p Plan) AmendWhatApplies(change Proposal, marks Marks) (next Plan, g *Graph, outdated []string, err error) {
	left := map[string]bool{}
	for {
		var rest Proposal
		rest, outdated = p.stillApplies(change, marks, left)
		if next, err = p.Amend(rest, marks); err == nil {
			if g, err = Build(next); err == nil {
				return next, g, outdated, nil
			}
		}
		if len(rest.Items) == 0 {
			return Plan{}, nil, nil, err // the plan itself cannot be built
		}
		for _, key := range rest.fault(err) {
			left[key] = true
		}
	}
}

// fault returns the nodeKeys of the items to leave out because of the error. For a cycle
// this is its last item, with the other parts of the same split; for any other error all
// items.
func (p Proposal) fault(err error) (keys []string) {
	var path []string
	if refused, ok := errors.AsType[*Error](err); ok {
		path, _ = refused.Details["path"].([]string)
	}
	var last Item
	for _, item := range p.Items {
		if slices.Contains(path, item.Key) {
			last = item
		}
	}
	for _, item := range p.Items {
		if last.Key == "" || item.Key == last.Key || last.SplitFrom != "" && item.SplitFrom == last.SplitFrom {
			keys = append(keys, item.Key)
		}
	}
	return keys
}

// stillApplies returns the items of a change that can be applied, without those to be
// left out, and the nodeKeys of the others.
func (p Plan) stillApplies(change Proposal, marks Marks, left map[string]bool) (rest Proposal, outdated []string) {
	o := outdating{
		amendment: amendment{plan: p, marks: marks, keys: map[string]int{}, parts: map[string][]string{}},
		known:     map[string]bool{}, wholes: map[string]string{},
	}
	for _, t := range p.Kept() {
		o.keys[t.Key], o.known[t.Key] = t.Number, true
		if t.SplitFrom != "" {
			o.parts[t.SplitFrom] = append(o.parts[t.SplitFrom], t.Key)
		}
	}
	rest = change
	rest.Items = nil
	for _, item := range change.Items {
		if o.keys[item.SplitFrom] == 0 && o.keys[item.Key] != 0 {
			item.SplitFrom = "" // the split was approved already
		}
		if left[item.Key] || !o.applies(item) {
			outdated = append(outdated, item.Key)
			o.wholes[item.Key] = item.SplitFrom
			continue
		}
		rest.Items = append(rest.Items, item)
		o.known[item.Key] = true
	}
	for i := range rest.Items {
		o.lead(&rest.Items[i])
	}
	return rest, outdated
}

// outdating is a change that is compared with what the plan became since.
type outdating struct {
	amendment
	known  map[string]bool   // the nodeKeys that edges can lead to
	wholes map[string]string // of each item that is left out, the task that it was split from
}

// applies reports whether an item can still change the plan, or changes nothing in it.
func (o *outdating) applies(item Item) bool {
	n := o.keys[item.Key]
	switch {
	case item.Cancel:
		return n != 0 && o.state(n) == Open
	case item.SplitFrom != "":
		whole := o.keys[item.SplitFrom]
		return whole != 0 && o.state(whole) == Open
	case n == 0 || !o.state(n).Final():
		return true
	}
	before := o.plan.Tasks[n-1]
	return before.reworded(item).Hash() == before.Hash()
}

// lead leads the item's edges to tasks that there will be.
func (o *outdating) lead(item *Item) {
	seen := map[string]bool{item.Key: true}
	for _, list := range []*[]string{&item.DependsOn, &item.AlsoAfter, &item.Soft} {
		var led []string
		for _, key := range *list {
			to := []string{key}
			switch whole := o.wholes[key]; {
			case o.known[key]:
			case o.known[whole]:
				to = []string{whole}
			default:
				to = o.parts[key]
			}
			for _, key := range to {
				if !seen[key] {
					led = append(led, key)
				}
				seen[key] = true
			}
		}
		*list = led
	}
}
