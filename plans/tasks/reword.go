package tasks

import (
	"slices"

	"planb/questions/lenient"
)

// keepable is a field that an agent may leave out when it rewords a task.
type keepable struct {
	names []string // in JSON; the first one is the field's own
	keep  func(after *Seed, before Seed)
}

func keepables() []keepable {
	return []keepable{
		{[]string{"description", "details"}, func(after *Seed, before Seed) { after.Description = before.Description }},
		{[]string{"executionContract"}, func(after *Seed, before Seed) { after.Execution = before.Execution }},
		{[]string{"verificationContract", "acceptanceCriteria", "testStrategy"}, func(after *Seed, before Seed) { after.Verification = before.Verification }},
		{[]string{"dependsOn"}, func(after *Seed, before Seed) { after.DependsOn = before.DependsOn }},
		{[]string{"estimateMinutes"}, func(after *Seed, before Seed) { after.Minutes = before.Minutes }},
	}
}

// leftOut returns the fields that an item does not give. A model that fills in each field of
// the schema writes "" or {} for what it leaves out; but an empty list says that the task waits
// for none.
func leftOut(o *lenient.Object) (fields []string) {
	for _, k := range keepables() {
		if !slices.ContainsFunc(k.names, func(name string) bool {
			n, ok := o.Get(name)
			return ok && (!n.Blank() || n.Kind == lenient.ListNode)
		}) {
			fields = append(fields, k.names[0])
		}
	}
	return fields
}

// keeping returns the seed with some fields as they were before.
func (s Seed) keeping(fields []string, before Seed) Seed {
	for _, k := range keepables() {
		if slices.Contains(fields, k.names[0]) {
			k.keep(&s, before)
		}
	}
	return s
}
