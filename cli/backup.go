package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/store/home"
	"planb/tui/wording"
)

func (p upkeep) backupCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Copy everything into a file, while planb is in use",
		Long: "Copy everything planb keeps into a file, while it is in use; without FILE, into the directory backups in the data directory.\n" +
			"The copy is checked before it gets its name. An existing file is never overwritten.",
		Args: frame.AtMostOne("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			to := ""
			if len(args) == 1 {
				to = args[0]
			}
			return p.backup(cmd.Context(), to, asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the backup's path and content as JSON")
	return command
}

func (p upkeep) backup(ctx context.Context, to string, asJSON bool) error {
	h, err := p.Home()
	if err != nil {
		return err
	}
	if to == "" {
		to = h.NewBackup(time.Now())
	} else if to, err = filepath.Abs(to); err != nil {
		return err
	}
	found, err := h.Backup(ctx, to)
	if err != nil {
		return err
	}
	if gaps := found.Gaps(); len(gaps) > 0 {
		notice := "The backup has gaps, as the store has: " + strings.Join(gaps, "; ") + ". planb doctor says what to do about them."
		if _, err := fmt.Fprintln(p.Stderr, notice); err != nil {
			return err
		}
	}
	if asJSON {
		return json.NewEncoder(p.Stdout).Encode(struct {
			Path string `json:"path"`
			home.Checked
		}{to, found})
	}
	about := wording.Bytes(found.File.Size) + ", " + numbers(found)
	if k := ink.On(p.Stdout, p.Env.Pairs(), p.Theme); k.Terminal {
		return p.Print(k.Written(to) + layout.Row("  ", k.Muted.Render(about), k.Width))
	}
	return p.Print(to + "\n" + about + "\n") // a script reads the path
}

// numbers says how much a file contains.
func numbers(c home.Checked) string {
	text := wording.Count(c.Content.Sessions, "session") + ", " + wording.Count(c.Content.Asks, "form") + ", " + wording.Count(c.Content.Plans, "plan version")
	if n := c.Content.Drafts; n > 0 {
		text += ", " + wording.Count(n, "draft")
	}
	switch n := c.Content.TaskPlans; n {
	case 0:
		return text
	case 1:
		return text + ", 1 plan of tasks"
	default:
		return fmt.Sprintf("%s, %d plans of tasks", text, n)
	}
}
