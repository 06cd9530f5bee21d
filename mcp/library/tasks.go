package library

import (
	"context"
	"fmt"
	"strings"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/agent"
	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/store/tasks"
)

// The URIs of plans of tasks.
const (
	tasksURI      = "planb://tasks"
	tasksTemplate = tasksURI + "/{planId}"
	tasksRest     = tasksURI + "{+path}{?offset}"
)

func tasksOf(plan string) string { return tasksURI + "/" + plan }

// offerTasks adds the resources of tasks.
func (l *Library) offerTasks(sdkServer *server.MCPServer) {
	sdkServer.AddResource(sdk.NewResource(tasksURI, "tasks",
		sdk.WithResourceTitle("Plans of tasks"),
		sdk.WithResourceDescription("The plans of tasks of your project, and where each stands. Follow it to hear of proposals and approvals."),
		sdk.WithMIMEType(markdownType)), l.readResource)
	for _, t := range []struct{ uri, name, title, description string }{
		{tasksTemplate, "taskplan", "A plan of tasks", "The tasks of a plan with their states, and who works on which."},
		{tasksRest, "restoftasks", "The rest of a long plan", "A plan of tasks from one character on, if it is too long to be read at once."},
	} {
		sdkServer.AddResourceTemplate(sdk.NewResourceTemplate(t.uri, t.name,
			sdk.WithTemplateTitle(t.title), sdk.WithTemplateDescription(t.description), sdk.WithTemplateMIMEType(markdownType)), l.readResource)
	}
}

// finder is the agent for the store of tasks.
func finder(ctx context.Context, a *agent.Agent) tasks.Caller {
	return tasks.Caller{Actor: rules.Agent, Name: agent.Title(a.Client(ctx)), Dir: a.ProjectDir(ctx)}
}

// plansText lists the plans of tasks that a connection finds, newest first.
func (l *Library) plansText(ctx context.Context, a *agent.Agent) (string, error) {
	list, err := l.store.Tasks().Plans(ctx, finder(ctx, a))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# Plans of tasks, newest first\n\n")
	if len(list) == 0 {
		b.WriteString("There is none yet.\n")
	}
	for i := len(list) - 1; i >= max(0, len(list)-maxListed); i-- {
		plan := list[i]
		if plan.Err != nil {
			fmt.Fprintf(&b, "- %s: cannot be read: %s\n", plan.ID, tool.OneLine(plan.Err.Error()))
			continue
		}
		count := "1 task"
		if plan.Tasks != 1 {
			count = fmt.Sprintf("%d tasks", plan.Tasks)
		}
		fmt.Fprintf(&b, "- %s %s · %s · %s · changed %s\n", tasksOf(plan.ID), plan.Title.Line(), plan.Status, count, moment(plan.Updated))
	}
	if len(list) > maxListed {
		b.WriteString("\nOlder ones are not listed here; planb tasks lists them.\n")
	}
	return b.String(), nil
}

// tasksText writes a plan of tasks: where it stands, and each task with its state. It does
// not depend on the time of reading, so that a follower hears of changes only.
func (l *Library) tasksText(ctx context.Context, a *agent.Agent, id string) (string, error) {
	plan, err := l.store.Tasks().Plan(ctx, finder(ctx, a), id)
	if rules.CodeOf(err) == rules.CodePlanNotFound {
		return "", errNoResource
	}
	if err != nil {
		return "", err
	}
	list, err := l.store.Tasks().Tasks(ctx, plan)
	if err != nil {
		return "", err
	}
	view := rules.Look(plan.Situation(time.Now()))
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nplanId %s · %s", plan.Title.Line(), plan.ID, plan.Status)
	if plan.Paused {
		b.WriteString(" · paused")
	}
	b.WriteString("\n\n")
	for _, task := range list {
		if task.Dropped {
			continue
		}
		fmt.Fprintf(&b, "- [%s] %s: %s", view.State(task.Number), task.Key, task.Title.Line())
		if claim, claimed := plan.Claims[task.Number]; claimed {
			fmt.Fprintf(&b, " · %s", tool.OneLine(claim.Worker))
		}
		if !view.Unlocked[task.Number-1] {
			b.WriteString(" · locked until your user approves it")
		}
		if len(task.DependsOn)+len(task.AlsoAfter) > 0 {
			fmt.Fprintf(&b, " · after %s", strings.Join(append(task.DependsOn, task.AlsoAfter...), ", "))
		}
		fmt.Fprintf(&b, " · taskId %s\n", plan.TaskID(task.Number))
	}
	return b.String(), nil
}
