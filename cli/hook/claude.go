package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/cli/frame"
	"planb/cli/ownagent"
	"planb/files"
	"planb/plainjson"
	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/project"
)

// AnswerClient acts as the hook of a client that asks for approval of its own
// plan. On any error it writes no answer, so that the client asks the person
// itself: an error is neither an approval nor a refusal.
func (b Beside) AnswerClient(ctx context.Context, client string) error {
	if client != "claude" {
		return fmt.Errorf("there is no hook for %q; known is: claude", client)
	}
	answer, err := b.answerClaude(ctx)
	if err == nil && answer != nil {
		_, err = b.Program.Stdout.Write(answer)
	}
	if err != nil {
		b.Program.Warn("no verdict on the plan: " + safe.New(err.Error()).Line())
	}
	return nil
}

// claudeEvent is the input of Claude Code's hook PermissionRequest.
type claudeEvent struct {
	Event   string          `json:"hook_event_name"`
	Session string          `json:"session_id"`
	Project string          `json:"cwd"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
	// Transcript is the path of the conversation's file.
	Transcript string `json:"transcript_path"`
}

// claudeAnswer is the hook's output.
type claudeAnswer struct {
	Output struct {
		Event    string         `json:"hookEventName"`
		Decision claudeDecision `json:"decision"`
	} `json:"hookSpecificOutput"`
}

// claudeDecision allows the tool's call or denies it. Claude Code ignores an approval that
// does not repeat the tool's input. The model reads the message of a denial.
type claudeDecision struct {
	Behavior string          `json:"behavior"`
	Message  string          `json:"message,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
}

const (
	claudeTool = "ExitPlanMode" // Claude Code's tool that asks for approval of a plan
	// Keys of the tool's input.
	claudePlan = "plan"
	claudeFile = "planFilePath"
)

func readClaudeEvent(in io.Reader) (claudeEvent, map[string]json.RawMessage, error) {
	var event claudeEvent
	raw, err := io.ReadAll(in)
	if err == nil {
		err = json.Unmarshal(raw, &event)
	}
	if err != nil {
		return event, nil, fmt.Errorf("the input of Claude Code's hook can't be read: %w", err)
	}
	if event.Event != "PermissionRequest" || event.Tool != claudeTool {
		return event, nil, fmt.Errorf("this hook is for PermissionRequest of ExitPlanMode, not for %q of %q", event.Event, event.Tool)
	}
	var input map[string]json.RawMessage
	if err := json.Unmarshal(event.Input, &input); err != nil || input == nil {
		return event, nil, errors.New("the tool's input is not an object")
	}
	return event, input, nil
}

// planOfClaude returns the plan's text, from the input or from the file that it
// names.
func planOfClaude(input map[string]json.RawMessage) (safe.Text, error) {
	text := func(key string) (value string) {
		if json.Unmarshal(input[key], &value) != nil {
			return "" // missing, or not a string
		}
		return value
	}
	if plan := text(claudePlan); strings.TrimSpace(plan) != "" {
		return safe.New(plan), nil
	}
	path := text(claudeFile)
	if path == "" {
		return safe.Text{}, errors.New("there is no plan in the tool's input")
	}
	raw, _, err := files.Read(path, plans.MaxPlanBytes)
	if err != nil {
		return safe.Text{}, fmt.Errorf("the plan's file can't be read: %w", err)
	}
	return safe.New(string(raw)), nil
}

// answerClaude reads Claude Code's event, has the person review the plan, and
// returns the hook's output. Without a verdict it returns an error.
func (b Beside) answerClaude(ctx context.Context) (answer []byte, err error) {
	event, input, err := readClaudeEvent(b.Program.Stdin)
	if err != nil {
		return nil, err
	}
	event.Project = project.Dir(nil, b.Program.Env.Get, event.Project)
	text, err := planOfClaude(input)
	if err != nil {
		return nil, err
	}
	if err := b.Possible(ctx); err != nil {
		return nil, err
	}
	as := sdk.Implementation{Name: "claude-code-plan-hook", Title: "Claude Code", Version: frame.Version}
	err = b.Program.WithStore(ctx, func(ctx context.Context, st *store.Store) error {
		session, err := claudeSession(ctx, st, event, Title(text, "-"), as)
		if err != nil {
			return err
		}
		plan, _, err := st.SavePlan(ctx, session, "", text.Raw())
		if err != nil {
			return err
		}
		watching, done := context.WithCancel(ctx)
		defer done()
		go withdrawWhenAnswered(watching, st, plan, event.Transcript)
		ask, err := b.Review(ctx, st, plan, as)
		if err != nil {
			return err
		}
		if answer, err = hookOutput(ctx, st, ask, event, input, text); ask.Open() {
			return err
		}
		return errors.Join(err, st.Deliver(ctx, ask.ID)) // delivered even without a verdict, so that the next round does not return it
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// claudeSession returns the planb session that belongs to Claude Code's
// session. It is the same each time, so that a revised plan is the next
// version.
func claudeSession(ctx context.Context, st *store.Store, event claudeEvent, title safe.Text, as sdk.Implementation) (string, error) {
	session := store.Session{Title: title, Project: safe.New(event.Project), Client: ownagent.StoreClient(as)}
	if event.Session != "" {
		id := uuid.NewSHA1(uuid.NameSpaceURL, []byte("claude-code:session:"+event.Session)).String()
		if _, err := st.Session(ctx, id); err == nil {
			return id, nil
		} else if !frame.IsUnknown(err) {
			return "", err
		}
		session.ID = id
		if made, err := st.CreateSession(ctx, session); err == nil {
			return made.ID, nil
		}
		session.ID = "" // a deleted session's id cannot be used again
	}
	made, err := st.CreateSession(ctx, session)
	return made.ID, err
}

// hookOutput turns the review's outcome into the hook's output. The error says why
// there is no decision.
func hookOutput(ctx context.Context, st *store.Store, ask store.Ask, event claudeEvent, input map[string]json.RawMessage, text safe.Text) ([]byte, error) {
	var out claudeAnswer
	out.Output.Event = event.Event
	decision := &out.Output.Decision
	switch ask.Outcome.State {
	case questions.Answered:
		said, err := Said(ask)
		if err != nil {
			return nil, err
		}
		if !said.Approved() {
			decision.Behavior, decision.Message = "deny", said.Plain().Raw()
			break
		}
		approved, err := approvedText(ctx, st, ask, said, text)
		if err != nil {
			return nil, err
		}
		decision.Behavior = "allow"
		if decision.Input, err = inputWith(event, input, text, approved); err != nil {
			return nil, err
		}
	case questions.Discuss:
		decision.Behavior = "deny"
		decision.Message = "The user has not decided on the plan yet, and says: " + ask.Outcome.Message.Raw() + "\n\nReply to that first; the plan is not approved."
		text, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
		if words := review.InWords(text); text != "" && !words.Feedback.Blank() {
			decision.Message += " What they have said of it so far is unfinished:\n\n" + words.Feedback.Raw()
		}
	default:
		return nil, errors.New(WithoutVerdict(ask))
	}
	line, err := plainjson.Marshal(out)
	return append(line, '\n'), err
}

// inputWith returns the tool's input with the approved plan. If the person did
// not change the plan, it returns the input byte for byte.
func inputWith(event claudeEvent, input map[string]json.RawMessage, text safe.Text, approved string) (json.RawMessage, error) {
	if approved == text.Raw() {
		return event.Input, nil
	}
	plan, err := json.Marshal(approved)
	if err != nil {
		return nil, err
	}
	input[claudePlan] = plan
	return json.Marshal(input)
}

// approvedText returns the approved plan, as the person edited it. Their
// remarks stand at its end, since an approval has no other place for them.
func approvedText(ctx context.Context, st *store.Store, ask store.Ask, said review.Review, text safe.Text) (string, error) {
	approved := text.Raw()
	if said.Edited != "" {
		versions, err := st.Plans(ctx, ask.Session)
		if err != nil {
			return "", err
		}
		number := 0
		for _, v := range versions {
			if v.Err == nil && v.Digest == said.Edited {
				number = v.Number
			}
		}
		edited, err := st.PlanText(ctx, ask.Session, number)
		if err != nil {
			return "", fmt.Errorf("the plan as it was edited can't be read: %w", err)
		}
		approved = edited.Raw()
	}
	if said.Note.Blank() && len(said.Comments) == 0 {
		return approved, nil
	}
	return strings.TrimRight(approved, "\n") + "\n\n---\n\n" + said.Plain().Raw(), nil
}
