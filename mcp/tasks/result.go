package tasks

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/questions/lenient"
	"planb/store/ledger"
)

// roomForLists is how many bytes of JSON the lists of a result may take. Together with
// what else the result says they are less than the least that a client passes on.
const roomForLists = 7_000

// resultData is a result as data: the same object as in its first item.
type resultData struct {
	Said any `json:"said,omitempty"`
	tool.Facts
}

// Bound implements tool.Data.
func (d *resultData) Bound() {
	d.Said = nil
	d.Facts.Bound()
}

// told is a result that says the object, and the words behind it.
func told(said any, words ...string) *tool.Result {
	items := []string{tool.JSON(said)}
	for _, word := range words {
		if word != "" {
			items = append(items, word)
		}
	}
	return &tool.Result{Items: items, Data: &resultData{Said: said}}
}

// refusal is an error as an agent gets it.
type refusal struct {
	Error *rules.Error `json:"error"`
}

// failed is a result that tells what went wrong: a refusal as an object with its code, any
// other error of the store as a sentence.
func failed(err error) *tool.Result {
	refused, ok := errors.AsType[*rules.Error](err)
	if !ok {
		return tool.NotStored("", "This could not be done", err)
	}
	said := refusal{bounded(refused)}
	return &tool.Result{Items: []string{tool.JSON(said)}, IsError: true, Data: &resultData{Said: said}}
}

// failedOn is failed for a call that named tasks by these ids. If there is no such task, it says
// which taskId is wanted.
func (s *toolset) failedOn(ctx context.Context, c *tool.Caller, err error, ids ...string) *tool.Result {
	refused, ok := errors.AsType[*rules.Error](err)
	if !ok || refused.Code != rules.CodeTaskNotFound {
		return failed(err)
	}
	var named []string
	for _, id := range ids {
		if _, _, isID := rules.SplitID(id); !isID {
			if named, err = s.Store.Tasks().Named(ctx, s.caller(ctx, c), id); err != nil {
				return failed(err)
			}
			break // the refusal is of the first that is no id
		}
	}
	said := *refused
	said.Message += " " + rules.WhichTask(named)
	return failed(&said)
}

// invalid is the error for arguments with these mistakes.
func invalid(sentences []string) *rules.Error {
	var problems lenient.Problems
	for _, sentence := range sentences {
		problems.Say("", sentence)
	}
	return rules.Invalid(problems)
}

// withProblems puts the problems of the arguments that args has read in front of those
// in err, so that the agent gets both at once.
func withProblems(args *tool.Arguments, err error) error {
	if len(args.Problems) == 0 {
		return err
	}
	all := args.Problems
	if refused, ok := errors.AsType[*rules.Error](err); ok && refused.Code == rules.CodeValidationInvalidInput {
		more, _ := refused.Details["problems"].([]string)
		all = append(all, more...)
	}
	return invalid(all)
}

// bounded leaves as much in the error as a client passes on. A longer object would be cut, and no
// program could read what is left of it.
func bounded(e *rules.Error) *rules.Error {
	if tool.Size(tool.JSON(refusal{e})) <= roomForLists {
		return e
	}
	said := *e
	said.Details = maps.Clone(e.Details)
	for name, value := range e.Details {
		list, ok := value.([]string)
		if !ok {
			continue
		}
		left, lines := roomForLists/2, slices.Clone(list) // the message has each problem, too
		if rest := keep(&lines, &left); rest > 0 {
			lines = append(lines, fmt.Sprintf("and %d more", rest))
		}
		if said.Details[name] = lines; name == "problems" {
			said.Message = strings.Join(lines, "\n")
		}
	}
	const most = roomForLists / 4 // as JSON in JSON it takes up to twice as many bytes
	if shown := tool.Fitting(said.Message, most); shown != said.Message && e.Details["problems"] == nil {
		said.Message = shown + "…"
	}
	return &said
}

// keep shortens a list to the items that fit into *left bytes, and returns how many it
// has removed. It subtracts the size of the items from *left.
func keep[T any](list *[]T, left *int) (rest int) {
	for i, item := range *list {
		if *left -= tool.Size(tool.JSON(item)); *left < 0 {
			rest = len(*list) - i
			*list = (*list)[:i]
			return rest
		}
	}
	return 0
}

// unknownSession reports whether the error says that a session does not exist.
func unknownSession(err error) bool {
	unknown, ok := errors.AsType[*ledger.UnknownError](err)
	return ok && unknown.What == "session"
}
