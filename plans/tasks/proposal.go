package tasks

import (
	"fmt"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// Proposal is what an agent, a template or a file proposes: a new plan, or changes
// of a plan.
type Proposal struct {
	Title       safe.Text `json:"title"`
	Description safe.Text `json:"description,omitzero"`
	Items       []Item    `json:"tasks"`
}

// Item is one task of a proposal. Cancel and SplitFrom have a meaning only where
// the proposal amends a plan.
type Item struct {
	Seed
	Cancel    bool      `json:"cancel,omitempty"`    // takes the task out of the plan; the other fields do not count
	SplitFrom string    `json:"splitFrom,omitempty"` // the nodeKey of the task that this one and others replace
	Done      safe.Text `json:"done,omitzero"`       // it was done before it was imported, and how
	// Keeps names the fields that the rewording of a task leaves as they are, because the agent
	// left them out.
	Keeps []string `json:"keeps,omitempty"`
}

// Plan returns a plan of new tasks, numbered in the order of the items. Build
// checks it.
func (p Proposal) Plan() Plan {
	plan := Plan{Title: p.Title, Description: p.Description, Tasks: make([]Task, len(p.Items))}
	for i, item := range p.Items {
		plan.Tasks[i] = Task{Number: i + 1, Seed: item.Seed, Done: item.Done}
	}
	return plan
}

// Proposal returns a plan as a proposal of the same plan.
func (p Plan) Proposal() Proposal {
	proposal := Proposal{Title: p.Title, Description: p.Description, Items: make([]Item, 0, len(p.Tasks))}
	for _, t := range p.Tasks {
		if !t.Dropped {
			proposal.Items = append(proposal.Items, Item{Seed: t.Seed, Done: t.Done}) // a new plan has nothing to split
		}
	}
	return proposal
}

func (t Task) item() Item { return Item{Seed: t.Seed, SplitFrom: t.SplitFrom, Done: t.Done} }

const (
	taskExample  = `{"nodeKey":"api","title":"Write the API","dependsOn":["schema"]}`
	titleExample = `"Auth rewrite"`
)

// ReadProposal reads a proposal from the JSON that a model wrote, and fills in
// defaults. It understands the shapes of other tools: tasks as a JSON string, id
// for nodeKey, dependencies for dependsOn, acceptanceCriteria, testStrategy, words
// as priorities. amends is the graph of the plan that is amended, whose tasks may
// be referred to, and reworded by the fields that change; nil for a new plan. The
// fields named in others are the caller's. The error is a *Error with all problems at
// once.
func ReadProposal(raw []byte, amends *Graph, others ...string) (Proposal, error) {
	var r seedReader
	o, ok := r.whole(raw, append(proposalFields(), named(others)...), "a JSON object with title and tasks",
		`{"title":`+titleExample+`,"tasks":[`+taskExample+`]}`)
	if !ok {
		return Proposal{}, Invalid(r.Problems)
	}
	p := r.proposal(o, amends)
	if len(r.Problems) > 0 {
		return Proposal{}, Invalid(r.Problems)
	}
	return p, nil
}

// ImportJSON reads what json.Marshal makes of a Proposal, or what a model wrote. Other
// than a proposal of an agent it may say that tasks are done.
func ImportJSON(raw []byte) (Import, error) {
	r := seedReader{imports: true}
	o, ok := r.whole(raw, proposalFields(), "a JSON object with title and tasks", `{"title":`+titleExample+`,"tasks":[`+taskExample+`]}`)
	if !ok {
		return Import{}, Invalid(r.Problems)
	}
	p := r.proposal(o, nil)
	if len(r.Problems) > 0 {
		return Import{}, Invalid(r.Problems)
	}
	return Import{Proposal: p}, nil
}

func (r *seedReader) proposal(o *lenient.Object, amends *Graph) Proposal {
	return Proposal{
		Title:       r.title(o, amends == nil, "a text that names the plan", titleExample),
		Description: r.description(o),
		Items:       r.items(o, amends),
	}
}

// ReadTask reads one task as ReadProposal does; in is the graph of the plan that the
// task is added to.
func ReadTask(raw []byte, in *Graph, others ...string) (Seed, error) {
	var r seedReader
	fields := itemFields()
	for i, field := range fields {
		fields[i].Hidden = field.Hidden || field.Name == "cancel" || field.Name == "splitFrom"
	}
	o, ok := r.whole(raw, append(fields, named(others)...), "a JSON object with title", taskExample)
	if !ok {
		return Seed{}, Invalid(r.Problems)
	}
	items := []Item{r.item(o)}
	const none = "a task that is added replaces none; propose_plan with planId splits and cancels"
	if items[0].SplitFrom != "" {
		r.Problems.Say("splitFrom", none)
	}
	if items[0].Cancel {
		r.Problems.Say("cancel", none)
	}
	items[0].SplitFrom, items[0].Cancel = "", false
	keys := in.Keys()
	if _, taken := keys[items[0].Key]; taken {
		r.Problems.Add("nodeKey", lenient.Quote(items[0].Key)+", which another task has", "a nodeKey of its own", "")
	}
	r.finish(items, keys, func(int) string { return "" })
	if len(r.Problems) > 0 {
		return Seed{}, Invalid(r.Problems)
	}
	return items[0].Seed, nil
}

func proposalFields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("title", "name", "planTitle"),
		lenient.Named("description", "summary", "goal"),
		lenient.Named("tasks", "seeds", "seedTasks", "items"),
	}
}

func named(names []string) []lenient.Field {
	fields := make([]lenient.Field, len(names))
	for i, name := range names {
		fields[i] = lenient.Named(name)
	}
	return fields
}

// whole reads the outermost object.
func (r *seedReader) whole(raw []byte, fields []lenient.Field, allowed, example string) (*lenient.Object, bool) {
	if len(raw) > MaxInputBytes {
		r.Problems.Add("", fmt.Sprintf("%d bytes", len(raw)), fmt.Sprintf("at most %d bytes", MaxInputBytes), "")
		return nil, false
	}
	most := lenient.MaxInputItems
	if r.imports {
		most = maxImportedItems
	}
	n, err := lenient.ParseUpTo(raw, most)
	if err != nil {
		r.Problems.Add("", err.Error(), allowed, example)
		return nil, false
	}
	o, ok := r.Object("", n, fields)
	if !ok {
		r.Problems.Add("", n.String(), allowed, example)
	}
	return o, ok
}

// items reads the list of tasks.
func (r *seedReader) items(o *lenient.Object, amends *Graph) []Item {
	nodes, at := r.Objects(o, "tasks", fmt.Sprintf("a list of 1 to %d tasks", MaxSeeds), taskExample)
	if len(nodes) == 0 {
		return nil
	}
	if len(nodes) > MaxSeeds && !r.imports {
		addTooMany(&r.Problems, at, len(nodes))
	}
	var keys map[string]int
	if amends != nil {
		keys = amends.Keys()
	}
	items := make([]Item, len(nodes))
	for i, node := range nodes {
		place := fmt.Sprintf("tasks[%d]", i)
		if text, isPlain := lenient.Plain(node); isPlain {
			node = lenient.Node{Kind: lenient.ObjectNode, Members: []lenient.Member{{Key: "title", Value: lenient.Node{Kind: lenient.TextNode, Text: text}}}}
		}
		task, ok := r.Object(place, node, r.fields())
		if !ok {
			r.Problems.Add(place, node.String(), "an object with nodeKey and title", taskExample)
			continue
		}
		if items[i] = r.item(task); keys[items[i].Key] != 0 && !items[i].Cancel {
			items[i].Keeps = leftOut(task)
		}
	}
	r.finish(items, keys, func(i int) string { return fmt.Sprintf("tasks[%d]", i) })
	return items
}

// TooManySeeds refuses a proposal of more than MaxSeeds tasks.
func TooManySeeds(count int) *Error {
	var problems lenient.Problems
	addTooMany(&problems, "tasks", count)
	return Invalid(problems)
}

func addTooMany(problems *lenient.Problems, at string, count int) {
	problems.Add(at, fmt.Sprintf("a list of %d", count), fmt.Sprintf("a list of 1 to %d tasks; have these approved first, then propose the others with the planId", MaxSeeds), "")
}

// finish gives a key to each task without one, and checks the references between tasks.
// keys are the nodeKeys of the plan that the tasks are added to; nil: they are the whole plan.
func (r *seedReader) finish(items []Item, keys map[string]int, at func(int) string) {
	known := make(map[string]bool, len(keys)+len(items))
	for key := range keys {
		known[key] = true
	}
	giveKeys(items, known)
	seeds := make([]Seed, len(items))
	for i := range items {
		seeds[i] = items[i].Seed
		switch from := items[i].SplitFrom; {
		case keys == nil && from != "":
			r.Problems.Say(lenient.Join(at(i), "splitFrom"), "the plan is not approved yet, and this replaces it: give the parts, and leave the task out")
		case from != "" && keys[from] == 0:
			sayUnknown(&r.Problems, lenient.Join(at(i), "splitFrom"), from, known, items[i].Key)
		}
		switch {
		case keys == nil && items[i].Cancel:
			r.Problems.Say(lenient.Join(at(i), "cancel"), "the plan is not approved yet, and this replaces it: leave the task out")
		case items[i].Cancel && keys[items[i].Key] == 0:
			r.Problems.Say(lenient.Join(at(i), "cancel"), lenient.Quote(items[i].Key)+" is no task of this plan, so it cannot be cancelled")
		}
	}
	checkKeys(&r.Problems, seeds, at)
	checkEdges(&r.Problems, seeds, known, at)
}

// giveKeys adds the keys of all items to those that are known, and makes one for
// each item without.
func giveKeys(items []Item, known map[string]bool) {
	for _, item := range items {
		if item.Key != "" {
			known[item.Key] = true
		}
	}
	made := map[string]int{}
	for i := range items {
		if items[i].Key == "" {
			items[i].Key = madeKey(items[i].Title.Raw(), i, known, made)
			known[items[i].Key] = true
		}
	}
}
