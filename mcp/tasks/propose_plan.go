package tasks

import (
	"context"
	"encoding/json"
	"fmt"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/tasks"
)

// proposeTool is propose_plan.
func (s *toolset) proposeTool() tool.Tool {
	return tool.Tool{
		Name: "propose_plan", Title: "Propose a plan of tasks",
		Description: proposeDescription, Schema: proposeSchema, Serve: s.proposePlan,
	}
}

const proposeDescription = "Propose a graph of tasks for several agents or sessions; for less, use your own list. " +
	"15 or fewer read best. Nothing can be claimed until your user approves it: call approve_plan next. " +
	"With planId: replaces a proposed plan; in an active one adds, splits, cancels, rewords; what you leave out stays."

const proposeSchema = `{"type":"object","required":["title","tasks"],"properties":{` +
	`"title":{"type":"string"},` +
	`"description":{"type":"string"},` +
	`"tasks":{"type":"array","minItems":1,"maxItems":500,"items":{"type":"object","required":["title"],"properties":{` +
	seedProperties + `,"splitFrom":{"type":"string","description":"nodeKey that it and others replace"},"cancel":{"type":"boolean"}}}},` +
	`"projectId":{"type":"string"},` +
	`"sessionId":{"type":"string"},` +
	`"planId":{"type":"string"}}}`

// seedProperties are the fields of a task.
const seedProperties = `"nodeKey":{"type":"string","description":"Names it in dependsOn; default: from the title"},` +
	`"title":{"type":"string"},` +
	`"description":{"type":"string","description":"All that an agent who reads only this needs"},` +
	`"dependsOn":{"type":"array","items":{"type":"string"}},` +
	`"executionContract":{"type":"object","properties":{` +
	`"kind":{"enum":["unblocked","human"],"description":"human: your user does it"},` +
	`"files":{"type":"array","items":{"type":"string"}},` +
	`"inputs":{"type":"array","items":{"type":"string"}},` +
	`"constraints":{"type":"array","items":{"type":"string"}},` +
	`"output":{"type":"string"}}},` +
	`"verificationContract":{"type":"object","properties":{` +
	`"kind":{"enum":["none","evidence","command","manual"],"description":"command: each exits 0; manual: your user accepts"},` +
	`"criteria":{"type":"array","items":{"type":"string"}},` +
	`"commands":{"type":"array","items":{"type":"string"}}}},` +
	`"priority":{"type":"integer","minimum":0,"maximum":4,"description":"0 first; default 2"},` +
	`"estimateMinutes":{"type":"integer","description":"Default 30"}`

// proposedPlan is the result of propose_plan: of an active plan, as it would be once the changes
// are approved.
type proposedPlan struct {
	ID        string       `json:"planId"`
	Status    rules.Status `json:"status"`
	Tasks     int          `json:"tasks"`
	Roots     []string     `json:"roots"`
	Hash      string       `json:"hash"`
	Unchanged bool         `json:"unchanged,omitempty"`
	Changes   *changes     `json:"changes,omitempty"` // of an active plan
}

// changes counts what a proposal would change in an active plan.
type changes struct {
	Added     int `json:"added"`
	Reworded  int `json:"reworded"`
	Cancelled int `json:"cancelled"`
}

// proposePlan serves propose_plan.
func (s *toolset) proposePlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("propose_plan", raw)
	wanted := tasks.Proposal{Project: args.Text("projectId"), Replaces: args.Text("planId")}
	session, failure := s.sessionArgument(ctx, c, args)
	if failure != nil {
		return failure
	}
	wanted.Session = session
	by := s.caller(ctx, c)
	amends, err := s.amended(ctx, by, wanted.Replaces)
	if err == nil {
		wanted.Proposal, err = rules.ReadProposal(object(raw), amends, "projectId", "sessionId", "planId")
	}
	if err = withProblems(args, err); err != nil {
		return failed(err)
	}
	return s.propose(ctx, c, by, wanted)
}

// amended returns the graph of the plan that is amended; nil for a plan that is proposed,
// or new.
func (s *toolset) amended(ctx context.Context, by tasks.Caller, id string) (*rules.Graph, error) {
	if id == "" {
		return nil, nil
	}
	plan, err := s.Store.Tasks().Plan(ctx, by, id)
	if err != nil || plan.Status == rules.PlanProposed {
		return nil, err
	}
	return plan.Graph, nil
}

// propose keeps a proposal and words the result.
func (s *toolset) propose(ctx context.Context, c *tool.Caller, by tasks.Caller, wanted tasks.Proposal) *tool.Result {
	worker, err := s.workers.of(c.Agent)
	if err != nil {
		return failed(err)
	}
	proposed, err := worker.Propose(ctx, by, wanted)
	if unknownSession(err) {
		err = rules.Missing("session", wanted.Session, c.Agent.ChosenSessions())
	}
	if err != nil {
		return failed(err)
	}
	wouldBe := proposed.Graph
	if proposed.Amended != nil {
		wouldBe = proposed.Amended // as the approval names it
	}
	said := proposedPlan{
		ID: proposed.ID, Status: proposed.Status, Tasks: kept(wouldBe), Roots: roots(wouldBe),
		Hash: wouldBe.Hash().String()[:12], Unchanged: proposed.Unchanged,
	}
	if c := proposed.Changes; c != nil {
		said.Changes = &changes{len(c.Added), len(c.Reworded), len(c.Cancelled)}
	}
	answer := told(said, replacedWords(proposed.Replaced), afterProposal(proposed))
	answer.Session = announcing(c, proposed.Session)
	return answer
}

// replacedWords says which changes wait no longer for the user because these do.
func replacedWords(r *tasks.Replaced) string {
	if r == nil {
		return ""
	}
	count := "the changes"
	switch {
	case r.Changes == 1:
		count = "the 1 change"
	case r.Changes > 1:
		count = fmt.Sprintf("the %d changes", r.Changes)
	}
	if r.Own {
		return fmt.Sprintf("This takes the place of %s that you proposed before and that your user had not decided. Propose all changes in one call.", count)
	}
	return fmt.Sprintf("This takes the place of %s that %s proposed before and that your user had not decided. "+
		"Tell your user so; the agent that proposed them is told, too, if it still runs.", count, safe.New(r.By).Line())
}

// afterProposal says what comes next.
func afterProposal(proposed tasks.Proposed) string {
	switch {
	case proposed.Changes == nil:
		return fmt.Sprintf("Nothing can be claimed yet: call approve_plan {\"planId\":%q}.", proposed.ID)
	case proposed.Changes.None():
		return "The plan is like that already: nothing waits for an approval."
	}
	return fmt.Sprintf("The plan goes on as it was approved until your user approves this: call approve_plan {\"planId\":%q}.", proposed.ID)
}

// mostKeys is how many nodeKeys or ids one list of a result has.
const mostKeys = 50

// roots returns the nodeKeys of the tasks that wait for none, the first of them.
func roots(g *rules.Graph) []string {
	keys := []string{}
	for n := 1; n <= g.Len() && len(keys) < mostKeys; n++ {
		if !g.Dropped(n) && !waits(g, n) {
			keys = append(keys, g.Key(n))
		}
	}
	return keys
}

// kept is how many tasks no amendment dropped.
func kept(g *rules.Graph) (count int) {
	for n := 1; n <= g.Len(); n++ {
		if !g.Dropped(n) {
			count++
		}
	}
	return count
}

func waits(g *rules.Graph, n int) bool {
	for _, e := range g.Edges(n) {
		if e.Kind.Hard() {
			return true
		}
	}
	return false
}

// object returns the arguments of a call; an empty object if there are none.
func object(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}")
	}
	return raw
}
