package cli

import (
	"context"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/draft"
	"planb/mcp/drafts"
	"planb/questions"
	"planb/setup"
	"planb/store"
)

// draftCommand returns planb draft, whose commands are in a room of their own.
func (p program) draftCommand() *cobra.Command { return p.drafts().Command() }

// draftModels are the models of the person's settings that write drafts for agents.
func (p program) draftModels(settings setup.Resolved, executable string, st *store.Store, log *slog.Logger) (m drafts.Models) {
	for _, profile := range settings.DraftEndpoint.Profiles {
		if _, usable := settings.DraftEndpoint.Profile(profile.Name); usable {
			m.Profiles = append(m.Profiles, drafts.Profile{Name: profile.Name, Models: profile.Models})
		}
	}
	m.Start = p.drafts().Start(executable, st.Drafts, log)
	return m
}

func (p program) drafts() draft.Commands {
	return draft.Commands{
		Program: p.Program,
		Ask:     p.askOwn,
		Propose: p.tasks().Propose,
		Argv: func() ([]string, error) {
			settings := p.settings(nil)
			return settings.DraftCommand, settings.Check("draft.command")
		},
		Endpoint: func() (setup.Endpoint, error) {
			settings := p.settings(nil)
			return settings.DraftEndpoint, settings.Check("draft.base_url", "draft.key_env", "draft.workers")
		},
		AnswerTimeout: func() (time.Duration, error) {
			settings := p.settings(nil)
			return settings.AnswerTimeout, settings.Check("answer-timeout")
		},
	}
}

// askOwn shows a form of this command on this terminal, and returns it as the person left
// it.
func (p program) askOwn(ctx context.Context, st *store.Store, spec questions.Spec) (store.Ask, error) {
	if err := p.checkTheme(); err != nil {
		return store.Ask{}, err
	}
	terminal, closeTTY, err := p.terminal()
	if err != nil {
		return store.Ask{}, err
	}
	defer closeTTY()
	ask, err := p.openOwnAsk(ctx, st, spec)
	if err != nil || !ask.Open() { // it was answered elsewhere since the person left it
		return ask, err
	}
	if ask, err = p.showOwn(ctx, st, terminal, ask.ID); err != nil {
		return ask, err
	}
	if ask.Outcome.State == questions.Answered || ask.Outcome.State == questions.Declined {
		err = st.Deliver(ctx, ask.ID)
	}
	return ask, err
}
