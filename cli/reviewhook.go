package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/files"
	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/project"
)

// reviewForHook is the hook of a client that asks for a plan of its own to be
// approved. Whatever goes wrong, nothing is answered, so that the client asks
// the person itself: no trouble is taken for an approval, or for a refusal.
func (p program) reviewForHook(ctx context.Context, client string) error {
	if client != "claude" {
		return fmt.Errorf("there is no hook for %q; known is: claude", client)
	}
	answer, err := p.answerClaude(ctx)
	if err == nil && answer != nil {
		_, err = p.stdout.Write(answer)
	}
	if err != nil {
		p.warn("no verdict on the plan: " + safe.New(err.Error()).Line())
	}
	return nil
}

// claudeEvent is what Claude Code tells the hook PermissionRequest.
type claudeEvent struct {
	Event   string          `json:"hook_event_name"`
	Session string          `json:"session_id"`
	Project string          `json:"cwd"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
	// Transcript is the path of the file in which it keeps the conversation.
	Transcript string `json:"transcript_path"`
}

// claudeAnswer is what it reads.
type claudeAnswer struct {
	Output struct {
		Event    string         `json:"hookEventName"`
		Decision claudeDecision `json:"decision"`
	} `json:"hookSpecificOutput"`
}

// claudeDecision allows with the tool's input, without which Claude Code takes no
// notice, or denies with a message, which its model reads.
type claudeDecision struct {
	Behavior string          `json:"behavior"`
	Message  string          `json:"message,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
}

// Claude Code's tool that asks for approval, and the parts of its input.
const (
	claudeTool = "ExitPlanMode"
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
		return event, nil, fmt.Errorf("what Claude Code told its hook can't be read: %w", err)
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

// planOfClaude is the plan's text: in the input, else in the file it names.
func planOfClaude(input map[string]json.RawMessage) (safe.Text, error) {
	text := func(key string) (value string) {
		if json.Unmarshal(input[key], &value) != nil {
			return "" // it is not there, or no text
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

// answerClaude reads an event of Claude Code, has the person review the plan, and
// returns what the hook is to write; nothing without a verdict.
func (p program) answerClaude(ctx context.Context) (answer []byte, err error) {
	event, input, err := readClaudeEvent(p.stdin)
	if err != nil {
		return nil, err
	}
	event.Project = project.Dir(nil, p.env.get, event.Project)
	text, err := planOfClaude(input)
	if err != nil {
		return nil, err
	}
	if err := p.canReviewBeside(ctx); err != nil {
		return nil, err
	}
	as := sdk.Implementation{Name: "claude-code-plan-hook", Title: "Claude Code", Version: version}
	err = p.withStore(ctx, func(ctx context.Context, st *store.Store) error {
		session, err := claudeSession(ctx, st, event, reviewTitle(text, "-"), as)
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
		ask, err := p.reviewBeside(ctx, st, plan, as)
		if err != nil {
			return err
		}
		if answer, err = decide(ctx, st, ask, event, input, text); ask.Open() {
			return err
		}
		return errors.Join(err, st.Deliver(ctx, ask.ID)) // no outcome counts for another round
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// claudeSession is the session of the client's session: the same each time, so
// that a plan that comes back is a second round.
func claudeSession(ctx context.Context, st *store.Store, event claudeEvent, title safe.Text, as sdk.Implementation) (string, error) {
	session := store.Session{Title: title, Project: safe.New(event.Project), Client: clientOf(as)}
	if event.Session != "" {
		id := uuid.NewSHA1(uuid.NameSpaceURL, []byte("claude-code:session:"+event.Session)).String()
		if _, err := st.Session(ctx, id); err == nil {
			return id, nil
		} else if !isUnknown(err) {
			return "", err
		}
		session.ID = id
		if made, err := st.CreateSession(ctx, session); err == nil {
			return made.ID, nil
		}
		session.ID = "" // one that was deleted is not made again
	}
	made, err := st.CreateSession(ctx, session)
	return made.ID, err
}

// decide is what the review says, in the client's words. The error is why it
// says nothing.
func decide(ctx context.Context, st *store.Store, ask store.Ask, event claudeEvent, input map[string]json.RawMessage, text safe.Text) ([]byte, error) {
	var out claudeAnswer
	out.Output.Event = event.Event
	decision := &out.Output.Decision
	switch ask.Outcome.State {
	case questions.Answered:
		said, err := saidIn(ask)
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
		return nil, errors.New(noVerdict(ask))
	}
	return encodeLine(out)
}

// inputWith is the tool's input: exactly as it came, unless the plan is another.
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

// approvedText is the plan that is approved: as the person made it, if they
// edited it. What they say beside it stands at its end, since an approval has no
// other place for words.
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
