package draft

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/drafts"
	"planb/store"
	"planb/store/runs"
)

func (c Commands) resumeCommand() *cobra.Command {
	var detail string
	command := &cobra.Command{
		Use:     "resume DRAFT",
		Short:   "Let a draft go on, or let a brief one grow",
		Long:    "Let a stopped or failed draft go on. What is written stays. With --detail full a brief draft grows into a whole\none, also when it is finished.",
		Example: "  planb draft resume 3f9a1c\n  planb draft resume 3f9a1c --detail full",
		PreRunE: func(*cobra.Command, []string) error {
			if detail != "" && drafts.Detail(detail) != drafts.Brief && drafts.Detail(detail) != drafts.Full {
				return frame.UsageError(fmt.Errorf("--detail is %q; allowed: brief, full", detail))
			}
			return nil
		},
	}
	command.Flags().StringVar(&detail, "detail", "", "`SIZE` full lets a brief draft grow")
	frame.CompleteFlag(command, "detail", "full")
	return c.changing(command, func(ctx context.Context, st *store.Store, id string) (runs.Whole, string, error) {
		before, err := st.Drafts().Plan(ctx, id)
		if err != nil {
			return before, "", err
		}
		w, again, err := st.Drafts().Resume(ctx, c.caller(), id, runs.Resumption{Detail: drafts.Detail(detail), Profile: before.Profile})
		if err != nil {
			return w, "", err
		}
		text := fmt.Sprintf("Draft %s goes on: %s.", store.ShortID(id), progress(w.Summary))
		if len(again) > 0 {
			for i, id := range again {
				again[i] = stepOf(id).Name
			}
			text += " Written again: " + strings.Join(again, ", ") + "."
		}
		form, err := formOf(ctx, st, w, time.Now())
		return w, text + " " + c.next(w, form), err
	})
}

func (c Commands) retryCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "retry DRAFT",
		Short:   "Write a stopped or failed draft anew",
		Long:    "Write a stopped or failed draft anew. What was written is kept in the history of each step, and what you edited\nstays.",
		Example: "  planb draft retry 3f9a1c",
	}
	return c.changing(command, func(ctx context.Context, st *store.Store, id string) (runs.Whole, string, error) {
		w, err := st.Drafts().Retry(ctx, c.caller(), id, "")
		if err != nil {
			return w, "", err
		}
		form, err := formOf(ctx, st, w, time.Now())
		return w, fmt.Sprintf("Draft %s begins anew. %s", store.ShortID(id), c.next(w, form)), err
	})
}

// toldByDefault is why a draft was stopped, if the person gives no reason.
const toldByDefault = "the user stopped it"

func (c Commands) stopCommand() *cobra.Command {
	var why string
	command := &cobra.Command{
		Use:     "stop DRAFT",
		Short:   "Stop a draft; it can go on later",
		Long:    "Stop a draft. Whoever writes it is told so; what is written stays, and `planb draft resume` goes on.",
		Example: "  planb draft stop 3f9a1c --why 'the budget has changed'",
	}
	command.Flags().StringVar(&why, "why", toldByDefault, "the `REASON`, which the agent is told")
	return c.changing(command, func(ctx context.Context, st *store.Store, id string) (runs.Whole, string, error) {
		w, stopped, err := st.Drafts().Stop(ctx, c.caller(), id, why)
		text := fmt.Sprintf("Draft %s is stopped. It goes on with planb draft resume %s.", store.ShortID(id), store.ShortID(id))
		if err == nil && !stopped {
			text = fmt.Sprintf("Draft %s was %s already; nothing was changed.", store.ShortID(id), w.State.Condition().Word())
		}
		return w, text, err
	})
}

// changing lets a command change the draft that its argument names. It prints the text that
// do returns, or with --json the draft.
func (c Commands) changing(command *cobra.Command, do func(ctx context.Context, st *store.Store, id string) (runs.Whole, string, error)) *cobra.Command {
	asJSON := command.Flags().Bool("json", false, "print it as JSON")
	command.Args, command.ValidArgsFunction = one, c.offer
	command.RunE = func(cmd *cobra.Command, args []string) error {
		return c.WithStore(cmd.Context(), func(ctx context.Context, st *store.Store) error {
			w, err := c.find(ctx, st, args[0])
			if err != nil {
				return err
			}
			w, text, err := do(ctx, st, w.ID)
			if err != nil {
				return said(err)
			}
			if *asJSON {
				return frame.PrintJSON(c.Stdout, shown(w.Summary))
			}
			return c.Tell(text + "\n")
		})
	}
	return command
}
