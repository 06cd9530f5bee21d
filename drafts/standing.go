package drafts

import (
	"slices"
	"strings"

	"planb/drafts/shape"
)

// Standing says how a step stands.
type Standing string

const (
	Waiting Standing = "waiting" // a step that it needs is not written, or will be written again
	Ready   Standing = "ready"   // it can be written now; an output that it has already is dirty
	Dirty   Standing = "dirty"   // its inputs have changed, and a step that it needs will be written again first
	Clean   Standing = "clean"   // written from the inputs as they are
	Kept    Standing = "kept"    // its inputs have changed, but a person edited it, so it stays
)

// Done reports whether the step counts as written.
func (s Standing) Done() bool { return s == Clean || s == Kept }

// def identifies what a step asks for: its task, its shape and its limits. If it
// changes, the step becomes dirty.
func (s Step) def(c shape.Caps) string {
	return Sum([]byte(s.Task + "\x00" + s.Shape.Skeleton(c)))
}

// firstGrowing is the number of the first step that is written again, with other limits,
// when a brief draft becomes a full one. The steps before it stay, because the person has
// chosen from them and confirmed them.
const firstGrowing = 16

// factsNumber is the number of the step facts, which every step after it is written from.
const factsNumber = 7

// Inputs returns the hash of all that a step is written from. The output of a step
// is clean as long as the hash in its record equals this one.
func (d Draft) Inputs(s Step) string {
	c := shape.Full
	if s.Number >= firstGrowing {
		c = d.Detail.caps()
	}
	parts := shape.Shape{
		{Name: "def", Words: 1}, {Name: "caps", Kind: shape.Number}, {Name: "guidance", Words: 1}, {Name: "start_date", Words: 1},
		{Name: "prompt", Words: 1}, {Name: "needs", Kind: shape.Map, Fields: shape.Shape{{Words: 1}}},
		{Name: "flags", Words: 1},
	}
	o := shape.Object{"def": s.def(c), "caps": float64(c), "guidance": d.Records[s.ID].Guidance, "start_date": d.Start.String()}
	if len(s.Needs) == 0 {
		o["prompt"] = Sum([]byte(d.Prompt))
	}
	needs := shape.Object{}
	for _, id := range d.reads(s) {
		needs[id] = d.Records[id].SHA256
	}
	o["needs"] = needs
	if s.Author == Code {
		o["flags"] = shape.FormatNumber(float64(d.Flags.Parallel)) + flagWord(d.Flags.PhaseOrder) + flagWord(d.Flags.Edges)
	}
	return Sum(parts.JSON(o))
}

func flagWord(set bool) string {
	if set {
		return " yes"
	}
	return " no"
}

// reads returns the ids of the steps that a step is written from: its needs, the brief
// and, for steps after the facts, the facts.
func (d Draft) reads(s Step) []string {
	ids := append([]string{}, s.Needs...)
	add := func(id string) {
		for _, have := range ids {
			if have == id {
				return
			}
		}
		ids = append(ids, id)
	}
	if s.Number > 1 {
		add("brief")
	}
	if s.Number > factsNumber && d.Detail != Ping {
		add("facts")
	}
	if s.Author == Code {
		add("project") // the days of its milestones
	}
	return ids
}

// Standings returns how each step of the draft stands.
func (d Draft) Standings() map[string]Standing {
	all := map[string]Standing{}
	for _, s := range d.Steps() {
		all[s.ID] = d.standing(s, all)
	}
	return all
}

func (d Draft) standing(s Step, before map[string]Standing) Standing {
	r, written := d.Records[s.ID]
	written = written && r.Output != nil
	settled := true
	for _, id := range d.reads(s) {
		settled = settled && before[id].Done()
	}
	switch {
	case written && (r.Inputs == d.Inputs(s) || !d.Writes(s)):
		return Clean
	case written && r.Edited:
		return Kept
	case settled:
		return Ready
	case written:
		return Dirty
	}
	return Waiting
}

// Behind returns how many written steps may have to be written again once a step has changed:
// those that read it or one of these, without those that a person edited.
func (d Draft) Behind(changed Step) (n int) {
	behind := map[string]bool{changed.ID: true}
	for _, s := range d.Steps() {
		r := d.Records[s.ID]
		if r.Output == nil || r.Edited || !d.Writes(s) || behind[s.ID] {
			continue
		}
		if slices.ContainsFunc(d.reads(s), func(id string) bool { return behind[id] }) {
			behind[s.ID] = true
			n++
		}
	}
	return n
}

// Progress returns how many steps are written, and how many there are. A step in several
// answers counts as one, and is written when all its answers are.
func (d Draft) Progress() (done, of int) {
	all, steps := d.Standings(), d.own()
	open := map[int]bool{}
	for _, s := range steps {
		if !all[s.ID].Done() {
			open[s.Number] = true
		}
	}
	of = count(steps)
	return of - len(open), of
}

// ReadySteps returns the steps that can be written now, in their order.
func (d Draft) ReadySteps() (ready []Step) {
	all := d.Standings()
	for _, s := range d.own() {
		if all[s.ID] == Ready {
			ready = append(ready, s)
		}
	}
	return ready
}

// Rejected returns why the run of the draft has ended: the brief says that the prompt cannot be
// planned. It is empty if the brief does not say so, or if it has to be written again.
func (d Draft) Rejected() string {
	if why := d.Unusable(); why != "" && d.Standings()["brief"].Done() {
		return strings.TrimSuffix(why, ".")
	}
	return ""
}

// Unusable returns why the prompt cannot be planned; empty if it can. Only a person
// may change that verdict.
func (d Draft) Unusable() string {
	brief := d.Output("brief")
	switch {
	case brief == nil || brief.Text("verdict") == "usable" && brief.Text("redline") != "refuse":
		return ""
	case brief.Text("redline") == "refuse":
		return "refused: " + brief.Text("why")
	}
	return strings.ReplaceAll(brief.Text("reason"), "_", " ") + ": " + brief.Text("why")
}
