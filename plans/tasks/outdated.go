package tasks

// StillApplies returns what Amend still accepts of a change that was proposed for an
// earlier state of the plan, and the nodeKeys of the items that it leaves out, in their
// order. It leaves out the rewording of a task that is done or cancelled, and the
// cancelling or the split of a task that was begun or decided since. A task that waited
// for a part of such a split waits for the whole task instead.
func (p Plan) StillApplies(change Proposal, marks Marks) (rest Proposal, outdated []string) {
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
		if !o.applies(item) {
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
