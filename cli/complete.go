package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"planb/setup"
	"planb/store"
	"planb/themes"
)

// addCompletions tells the shell what the arguments of each command can be.
// Commands that are listed nowhere here take no argument.
func (p program) addCompletions(root *cobra.Command) {
	looks := lookups{p.Program}
	offers := map[string]cobra.CompletionFunc{
		"planb setup":        offerFirst(append(clientNames(), "tmux")...),
		"planb config set":   p.settingAndValue,
		"planb config unset": offerFirst(settingNames()...),
		"planb config keys":  p.offerScreens,
		"planb show":         looks.offerSessions,
		"planb diff":         looks.offerSessions,
		"planb export":       looks.offerSessions,
		"planb tui retro":    looks.offerSessions,
		"planb tui ask":      looks.offerAsks,
	}
	files := []string{"planb ask", "planb review", "planb backup", "planb restore", "planb import", "planb mcp", "planb tasks import", "planb draft new"}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if offer, ok := offers[path]; ok {
			cmd.ValidArgsFunction = offer
		} else if !slices.Contains(files, path) && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// offerFirst offers the words for the first argument only.
func offerFirst(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

func settingNames() []string {
	var names []string
	for _, key := range setup.Keys(themes.Collection{}) {
		names = append(names, key.Name)
	}
	return names
}

func (p configured) settingAndValue(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return settingNames(), cobra.ShellCompDirectiveNoFileComp
	}
	for _, key := range setup.Keys(p.themes().Collection) {
		if key.Name == args[0] && len(args) == 1 {
			return key.Choices(), cobra.ShellCompDirectiveNoFileComp
		}
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func (p configured) offerScreens(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	keys, _ := p.mappedKeys()
	var screens []string
	for _, action := range keys.Actions() {
		if len(args) == 0 && !slices.Contains(screens, action.Screen) {
			screens = append(screens, action.Screen)
		}
	}
	return screens, cobra.ShellCompDirectiveNoFileComp
}

// maxOffered limits the sessions or asks offered to a shell.
const maxOffered = 30

// offerSessions offers the sessions that changed last, with their titles.
func (p lookups) offerSessions(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return p.offer(cmd.Context(), args, func(ctx context.Context, st *store.Store) ([]cobra.Completion, error) {
		page, _, err := st.Sessions(ctx, "", maxOffered)
		var list []cobra.Completion
		for _, session := range page {
			list = append(list, cobra.CompletionWithDesc(store.ShortID(session.ID), session.Name().Line()))
		}
		return list, err
	})
}

// offerAsks offers the asks that wait, with their titles.
func (p lookups) offerAsks(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return p.offer(cmd.Context(), args, func(ctx context.Context, st *store.Store) ([]cobra.Completion, error) {
		waiting, err := st.Waiting(ctx)
		var list []cobra.Completion
		for _, ask := range waiting[:min(len(waiting), maxOffered)] {
			list = append(list, cobra.CompletionWithDesc(store.ShortID(ask.ID), ask.Spec.Title.Line()))
		}
		return list, err
	})
}

// offer reads the store for a shell's completion. It drops errors: a message
// would land in the person's command line, and the command itself reports the
// same error.
func (p lookups) offer(ctx context.Context, args []string, read func(context.Context, *store.Store) ([]cobra.Completion, error)) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		_ = p.ReadStore(ctx, func(st *store.Store) (err error) {
			list, err = read(ctx, st)
			return err
		})
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
