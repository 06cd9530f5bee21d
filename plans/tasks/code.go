package tasks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// Forbidden refuses a tool whose scope this server does not have.
func Forbidden(scope string) *Error {
	return &Error{CodeAuthForbidden, fmt.Sprintf("This server has no scope %q. Tell your user; seek no other way.", scope), map[string]any{"scope": scope}}
}

// CrossOrg refuses what belongs to another owner. what names it: `Template "x"`.
func CrossOrg(what, owner string) *Error {
	return &Error{Code: CodeAuthCrossOrg, Message: fmt.Sprintf("%s is not %s's.", line(what), line(owner))}
}

// NameTaken refuses a second project with a name.
func NameTaken(project Project) *Error {
	return &Error{CodeProjectNameTaken, fmt.Sprintf(`There is a project "%s" already.`, project.Name.Line()), map[string]any{"projectId": project.ID}}
}

// NameTakenElsewhere is NameTaken for a project that was made in another directory than the
// caller's. No plan goes into that one, so only another name helps.
func NameTakenElsewhere(project Project) *Error {
	taken := NameTaken(project)
	taken.Message += " It is another directory's: choose another name."
	return taken
}

// SlugTaken refuses a slug that another project has, and suggests a free one.
func SlugTaken(slug, suggestion string) *Error {
	return &Error{
		CodeProjectSlugTaken, fmt.Sprintf("Slug %s is taken. Leave slug out for %s.", lenient.Quote(slug), lenient.Quote(suggestion)),
		map[string]any{"suggestion": suggestion},
	}
}

// ProjectNotFound says that there is no project with an id, or none at all if id is
// empty, and how an agent helps itself.
func ProjectNotFound(id string) *Error {
	message, reason := "There is no project "+lenient.Quote(id)+".", "unknown_project"
	hint := "Call list_projects and pass one of its projectIds, or leave projectId out."
	if id == "" {
		message, reason = "There is no project yet.", "no_project"
		hint = "Call create_project, then the same call again."
	}
	return noProject(message, reason, hint)
}

// ProjectElsewhere says that a project was made in another directory than the caller's.
func ProjectElsewhere(name safe.Text) *Error {
	return noProject(
		fmt.Sprintf(`Project "%s" is another directory's, and its plans are not found from here.`, name.Line()), "other_directory",
		"Call create_project once for this repository, unless list_projects names one of it; then the same call again without projectId.",
	)
}

func noProject(message, reason, hint string) *Error {
	return &Error{CodeProjectNotFound, message, map[string]any{
		"recovery": map[string]any{"reason": reason, "tools": []string{"create_project", "list_projects"}, "hint": hint},
	}}
}

// Quota is a limit that a person set on how much agents may create.
type Quota struct {
	Name  string // the setting: tasks.monthly_limit
	What  string // what is counted: "tasks of 2026-11"
	Used  int
	Limit int
	Reset time.Time // when Used is 0 again; zero for never
}

// Exceeded refuses more than the quota leaves.
func (q Quota) Exceeded(asked int) *Error {
	details := map[string]any{"quota": q.Name, "used": q.Used, "limit": q.Limit}
	if !q.Reset.IsZero() {
		details["reset_at"] = q.Reset.UTC().Format(time.RFC3339)
	}
	return &Error{
		CodeQuotaExceeded,
		fmt.Sprintf("%d of %d %s are used, %d asked for. Your user can raise %s.", q.Used, q.Limit, q.What, asked, q.Name),
		details,
	}
}

// Missing says that something does not exist, and lists the things that do. what is "plan",
// "task" or "template".
func Missing(what, id string, there []string) *Error {
	code := CodeNotFound
	switch what {
	case "plan":
		code = CodePlanNotFound
	case "task":
		code = CodeTaskNotFound
	}
	message := fmt.Sprintf("There is no %s %s.", what, lenient.Quote(id))
	if len(there) > 0 {
		message += " There are: " + lenient.QuoteAll(there) + "."
	}
	return &Error{Code: code, Message: message}
}

// WhichTask is what an agent is told beside task.not_found. named are the ids of the tasks whose
// nodeKey it gave in place of a taskId.
func WhichTask(named []string) string {
	switch len(named) {
	case 0:
		return "Pass a taskId: get_next_actionable lists them, with explain also those of tasks that are not ready."
	case 1:
		return "That is a nodeKey; its taskId is " + lenient.Quote(named[0]) + "."
	}
	return "Several tasks have that nodeKey; their taskIds are " + lenient.QuoteAll(named) + "."
}

// RequiresApproval refuses to change or work off a plan that is not active.
func RequiresApproval(title safe.Text, status Status) *Error {
	message := fmt.Sprintf(`Plan "%s" is proposed, and sealed while your user decides. Call approve_plan, or propose_plan with planId.`, title.Line())
	if status != PlanProposed {
		message = fmt.Sprintf(`Plan "%s" is %s; nothing can be added to it. Propose a new one.`, title.Line(), status)
	}
	return &Error{CodePlanRequiresApproval, message, map[string]any{"status": string(status)}}
}

// Conflict refuses a verb ("approve", "propose", "instantiate") because of a
// status.
func Conflict(verb, status, sentence string) *Error {
	return &Error{CodeConflict, fmt.Sprintf("cannot-%s-%s: %s", verb, status, sentence), map[string]any{"status": status}}
}

// CannotApprove refuses to approve a plan that is not proposed.
func CannotApprove(title safe.Text, status Status) *Error {
	return Conflict("approve", string(status), fmt.Sprintf(`plan "%s" is %s already. Nothing was changed.`, title.Line(), status))
}

// DecidedMeanwhile refuses to open the review of a plan of which nothing waits for an
// approval any more.
func DecidedMeanwhile(title safe.Text, status Status) *Error {
	return Conflict("approve", string(status), fmt.Sprintf(`plan "%s" was decided meanwhile and is %s now: nothing of it waits for an approval, and your user is not asked again.`, title.Line(), status))
}

// ChangedMeanwhile refuses to open the review of tasks that are no longer what was to be
// approved.
func ChangedMeanwhile(title safe.Text) *Error {
	return Conflict("approve", "changed", fmt.Sprintf(`plan "%s" was changed meanwhile, so its review did not open. Ask for the approval again: the review then shows the plan as it is now.`, title.Line()))
}

// CannotPropose refuses an amendment of a plan that has ended.
func CannotPropose(title safe.Text, status Status) *Error {
	return Conflict("propose", string(status), fmt.Sprintf(`plan "%s" is %s. Propose a new one, without planId.`, title.Line(), status))
}

// ProposedMeanwhile refuses to replace a proposed plan that is no longer the one that was read.
func ProposedMeanwhile(title safe.Text) *Error {
	return Conflict("propose", "changed", fmt.Sprintf(`plan "%s" was proposed anew or approved since it was read. Nothing was changed.`, title.Line()))
}

func approvedEdge(verb, key, on string) *Error {
	return Conflict(verb, "approved", fmt.Sprintf("your user approved that %s waits for %s; only they can change that.", lenient.Quote(key), lenient.Quote(on)))
}

// Cycle names the tasks of a cycle by nodeKey. Each depends on the next one, and
// the last is the first again.
func Cycle(path []string) *Error {
	shown := path
	const most = 12
	if len(path) > most {
		shown = append(append(append([]string(nil), path[:most-2]...), fmt.Sprintf("… %d more", len(path)-most)), path[len(path)-2:]...)
	}
	message := safe.New(strings.Join(shown, " → ")).Line() + " is a cycle. Nothing was stored."
	return &Error{CodeDependencyCycle, message, map[string]any{"path": path}}
}

// CrossPlan refuses an edge to a task of another plan.
func CrossPlan(id string) *Error {
	return &Error{Code: CodeDependencyCrossPlan, Message: line(Short(id)) + " is of another plan; a task waits only for tasks of its own."}
}

// NotActionable refuses to claim task n, and says why with the words of readiness.
func (v *View) NotActionable(n int, names Names) *Error {
	blockers := []string{} // a list in JSON, too, where no other task blocks
	for o := range v.obstacles(n) {
		if o.Task != 0 && len(blockers) < MaxListItems {
			blockers = append(blockers, v.Graph.Key(o.Task))
		}
	}
	state, instead := v.State(n), "Claim another."
	if len(v.Next(1)) == 0 {
		instead = "No other task of its plan can be claimed now."
	}
	return &Error{
		CodeTaskNotActionable, fmt.Sprintf("%s cannot be claimed: it %s. %s", names.quoted(n), v.Why(n, names), instead),
		map[string]any{"state": string(state), "blockers": blockers},
	}
}

// AlreadyClaimed refuses a task that somebody has. yours says that the same
// connection holds it.
func (c Claim) AlreadyClaimed(now time.Time, yours bool) *Error {
	message := fmt.Sprintf("%s has had it for %s.", line(c.Worker), Lasted(now.Sub(c.At)))
	if yours {
		message = "This connection holds it. If that is you, pass claimId; if another of your agents, claim another."
	}
	return &Error{CodeTaskAlreadyClaimed, message, map[string]any{"by": c.Worker, "since": c.At.UTC().Format(time.RFC3339), "yours": yours}}
}

// LeaseExpired tells a late reporter that another agent has the task: this claim.
func (c Claim) LeaseExpired() *Error {
	return &Error{
		CodeTaskLeaseExpired, fmt.Sprintf("Another agent has it since %s; your report is kept. Stop.", c.At.UTC().Format("2006-01-02 15:04 UTC")),
		map[string]any{"by": c.Worker, "since": c.At.UTC().Format(time.RFC3339)},
	}
}

// unmet says what a report lacks. commands are those that it does not name.
func unmet(missing, commands []string) *Error {
	message := "Not complete: " + strings.Join(missing, "; ") + ". You still hold it."
	if len(commands) > 0 {
		message += " Write the command exactly: " + strings.Join(shown(commands), ", ") + "."
	}
	return &Error{CodeVerificationUnmet, message, map[string]any{"missing": missing}}
}

// shown quotes the first few commands whole: the agent must write them exactly.
func shown(commands []string) []string {
	const most = 4
	list := slices.Clone(commands[:min(len(commands), most)])
	for i, command := range list {
		list[i] = "`" + safe.New(command).Line() + "`"
	}
	if more := len(commands) - most; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return list
}

func line(text string) string { return safe.New(text).Line() }

// NothingActionable refuses to give any task; words say why.
func NothingActionable(words string) *Error {
	if words == "" {
		words = "Nothing is ready, and no task is open."
	}
	return &Error{Code: CodeTaskNotActionable, Message: words}
}

// UnknownClaim refuses a claimId that the task never had.
func UnknownClaim(id string) *Error {
	return InvalidBecause("claimId", lenient.Quote(id)+" is no claim on this task; call get_next_actionable for yours")
}

// ClaimEnded refuses a verb ("update", "complete", "resume") under a claim that has
// ended. how is its ending.
func ClaimEnded(verb, how string, now State) *Error {
	sentence := map[string]string{
		"given_back": "you gave it back.",
		"released":   "your user took it back.",
		"cancelled":  "your user cancelled it.",
		"finished":   "your user did it.",
		"sent_back":  "your user sent it back with comments; claim it again to read them.",
		"accepted":   "your user accepted it.",
	}[how]
	if sentence == "" {
		sentence = fmt.Sprintf("it is %s now.", now)
	}
	return Conflict(verb, how, sentence+" Do not go on with it under this claimId.")
}
