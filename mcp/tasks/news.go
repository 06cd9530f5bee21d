package tasks

import (
	"context"
	"fmt"

	"planb/mcp/tool"
	"planb/plans"
	"planb/questions/safe"
	"planb/store/tasks"
)

// tellNews adds to a result of any tool what happened to the tasks that the agent's
// connection holds, or has reported.
func (s *toolset) tellNews(ctx context.Context, c *tool.Caller, answer *tool.Result) {
	worker := s.workers.known(c.Agent)
	if worker == nil {
		return
	}
	news, err := worker.News(ctx)
	if err != nil {
		s.Log.Warn("what happened to some tasks of an agent could not be looked up", "error", err)
	}
	for _, n := range news {
		answer.Asides = append(answer.Asides, tool.Aside{
			Telling: newsTelling(n),
			Writing: func() (written func(error)) { return worker.Telling(n) },
		})
	}
}

// newsTelling tells the holder of a task what happened to it. What the person wrote is in a
// file if it is too long.
func newsTelling(n tasks.News) *tool.Telling {
	return &tool.Telling{
		Words: func(cut *tool.Cutter) []string { return []string{newsWords(n, cut)} },
		// The path stays that of this comment, also if the person writes another.
		About: fmt.Sprintf("%s-%s-%.8s", copyName(n.TaskID), n.What, plans.Digest(n.Comment)),
		Whole: "All of this", Again: "call any tool of planb",
	}
}

// newsWords tells the holder of a task what happened to it and what to do.
func newsWords(n tasks.News, cut *tool.Cutter) string {
	task := fmt.Sprintf("%s (taskId %s)", tool.Quoted(n.Title), n.TaskID)
	switch n.What {
	case tasks.NewsReleased:
		return "Your user took " + task + " from its holder" + saying(n.Comment, cut) + " Stop work on it; it may be claimed again."
	case tasks.NewsCancelled:
		return "Your user cancelled " + task + saying(n.Comment, cut) + " Stop work on it."
	case tasks.NewsTaken:
		return "The claim on " + task + " has lapsed, and another agent has it. Stop work on it."
	case tasks.NewsReworded:
		return "Your user approved other words for " + task + ". Call claim_task with its taskId and claimId to read them before you go on."
	case tasks.NewsPaused:
		return "Your user paused the plan of " + task + ". Finish that task; nothing else is given out until they let it go on."
	case tasks.NewsResumed:
		return "Your user lets the plan of " + task + " go on."
	case tasks.NewsAccepted:
		return "Your user accepted the report on " + task + saying(n.Comment, cut)
	case tasks.NewsSentBack:
		return "Your user sent " + task + " back" + saying(n.Comment, cut) + " It may be claimed again."
	case tasks.NewsReplaced:
		return fmt.Sprintf("Your changes to the plan %s (planId %s) no longer wait for your user: %s proposed others, which took their place. "+
			"If yours are still needed, tell your user; if you propose them again, they replace the others.", tool.Quoted(n.Title), n.TaskID, safe.New(n.By).Line())
	case tasks.NewsQuiet:
		return "Nothing was heard about " + task + " for a while. If an agent of yours works on it, call update_task_status with status in_progress; if none does, with status ready."
	}
	return ""
}

// saying is the end of a sentence, with what the person wrote.
func saying(comment safe.Text, cut *tool.Cutter) string {
	if comment.Blank() {
		return "."
	}
	shown := safe.New(cut.Piece(tool.Piece{Name: "comment", File: "comment.md", Text: comment.Raw()}))
	return fmt.Sprintf(": \"%s\".", shown.Line())
}
