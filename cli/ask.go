package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/mcp/asking"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui"
	"planb/tui/screen"
)

// exampleForm shows in the help what the file of a form may hold.
const exampleForm = `    {"title": "Storage", "questions": [
      {"id": "db", "kind": "single", "label": "Which database?",
       "required": true,
       "options": [
         {"value": "sqlite", "label": "SQLite", "description": "One file"},
         "postgres"]},
      {"id": "where", "kind": "multi", "label": "Where does it run?",
       "options": ["laptop", "server"]},
      {"id": "risk", "kind": "scale", "label": "How much risk?",
       "min": 0, "max": 10},
      {"id": "why", "kind": "longtext", "label": "Why?",
       "tab": "Background"}
    ]}`

func (p program) askCommand() *cobra.Command {
	var schema bool
	command := &cobra.Command{
		Use:   "ask FILE|-",
		Short: "Show a form from a file and print the answers as JSON",
		Long: "Show a form from a file (or from stdin, with -) and print the answers as JSON. The form is drawn on the terminal, so\n" +
			"stdout can go into a pipe. It exits with 0 when the form was answered, with 130 when it was declined or left. If you\n" +
			"left a form and ask the same again in the same project, it begins with what you had entered.\n\n" +
			"The file holds what an agent gives to ask_user, without sessionId; --schema prints its JSON Schema. For example:\n\n" + exampleForm,
		Example: "  planb ask questions.json | jq .db\n  planb ask --schema > form.schema.json",
		Args: func(cmd *cobra.Command, args []string) error {
			if schema {
				return frame.NoArguments(cmd, args)
			}
			return frame.ExactlyOne("file")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				return frame.PrintJSON(p.Stdout, json.RawMessage(asking.FormSchema))
			}
			return p.ask(cmd.Context(), args[0])
		},
	}
	command.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of a form's file")
	return command
}

func (p program) ask(ctx context.Context, file string) error {
	spec, err := p.readSpec(file)
	if err != nil {
		return err
	}
	// Check first whether a form can be shown. A form that cannot be shown must
	// not be kept: it would wait for ever.
	if err := p.checkTheme(); err != nil {
		return err
	}
	terminal, closeTTY, err := p.terminal()
	if err != nil {
		return err
	}
	defer closeTTY()
	return p.WithStore(ctx, func(ctx context.Context, st *store.Store) error {
		ask, err := p.openOwnAsk(ctx, st, spec)
		if err != nil {
			return err
		}
		if ask.Open() { // otherwise it was answered elsewhere since the person left it
			if ask, err = p.showOwn(ctx, st, terminal, ask.ID); err != nil {
				return err
			}
		}
		return p.printAnswers(ctx, st, ask)
	})
}

// showOwn shows an ask of this command and returns it as it is afterwards.
func (p program) showOwn(ctx context.Context, st *store.Store, terminal screen.Terminal, id string) (store.Ask, error) {
	return p.awaited(ctx, st, id, func() (store.Ask, error) {
		shown, err := tui.Ask(ctx, tui.AskOptions{
			Store: st, Terminal: terminal, ID: id, By: p.Env.Author(), Command: frame.CommandName(), Quiet: true,
		})
		return shown.Ask, err
	})
}

// awaited runs show. Meanwhile the command waits for the ask's outcome as an agent does.
// So the screen says that somebody waits for it.
func (p program) awaited(ctx context.Context, st *store.Store, id string, show func() (store.Ask, error)) (store.Ask, error) {
	waits, err := st.Hold(ctx, store.WaitClaim(id, "shell "+strconv.Itoa(os.Getpid())), p.Env.Author())
	if err != nil {
		return store.Ask{}, err
	}
	ask, err := show()
	return ask, errors.Join(err, waits.Release(context.WithoutCancel(ctx)))
}

func (p program) readSpec(file string) (questions.Spec, error) {
	raw, err := p.ReadFile(file)
	if err != nil {
		return questions.Spec{}, fmt.Errorf("the form can't be read: %w", err)
	}
	spec, err := questions.Parse(raw)
	if err != nil {
		return questions.Spec{}, fmt.Errorf("%s is not a form; `planb ask --schema` prints what a form may hold:\n%w", file, err)
	}
	return spec, nil
}

// openOwnAsk stores the form as that of an agent is stored: a person who leaves it
// loses nothing, and retro shows it. If the person left the same form before, it
// returns that one.
func (p program) openOwnAsk(ctx context.Context, st *store.Store, spec questions.Spec) (store.Ask, error) {
	settings := p.settings(nil)
	if err := settings.Check("answer-timeout"); err != nil {
		return store.Ask{}, err
	}
	project, err := p.ProjectDir()
	if err != nil {
		return store.Ask{}, err
	}
	scope, err := st.Scope(ctx, project)
	if err != nil {
		return store.Ask{}, err
	}
	left, err := st.OwnForm(ctx, scope, spec)
	if err != nil || left.ID != "" && !left.Open() {
		return left, err
	}
	client := store.Client{Name: safe.New("planb ask"), Version: safe.New(frame.Version)}
	session := left.Session
	if session == "" {
		created, err := st.CreateSession(ctx, store.Session{Title: spec.Title, Project: safe.New(project), Client: client})
		if err != nil {
			return store.Ask{}, err
		}
		session = created.ID
	}
	ask, _, err := st.OpenAsk(ctx, store.Ask{Session: session, Spec: spec, Own: true, Client: client, Timeout: settings.AnswerTimeout})
	return ask, err
}

// printAnswers prints the outcome of the form. It marks the outcome as delivered: no
// agent is to be told of it.
func (p program) printAnswers(ctx context.Context, st *store.Store, ask store.Ask) error {
	outcome := ask.Outcome
	var told error
	switch outcome.State {
	case questions.Answered:
		if _, err := fmt.Fprintf(p.Stdout, "%s\n", ask.Spec.AnswersJSON(outcome.Reply)); err != nil {
			return fmt.Errorf("the answers can't be printed: %w; they are kept, see them with  planb tui retro %s", err, ask.Session)
		}
	case questions.Declined:
		told = frame.Declined(errors.New(strings.TrimSuffix("declined: "+outcome.Message.Line(), ": ")))
	case questions.Discuss:
		told = frame.Declined(errors.New("not finished: " + outcome.Message.Line()))
	default:
		return frame.Declined(nil) // the form has printed how to return to it
	}
	return errors.Join(told, st.Deliver(ctx, ask.ID))
}
