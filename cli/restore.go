package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	"planb/store/home"
	"planb/tui/wording"
)

func (p upkeep) restoreCommand() *cobra.Command {
	var flags restoreFlags
	command := &cobra.Command{
		Use:   "restore [FILE]",
		Short: "Go back to a backup; what is there now is kept",
		Long: "Go back to a backup: FILE, or the newest one that planb backup made without a name. First it shows what the backup and\n" +
			"the present store contain. The present store is kept beside the restored one, even if damaged. Running servers and\n" +
			"forms go on with the restored store. Sessions of other machines then belong to this machine.",
		Args: frame.AtMostOne("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			from := ""
			if len(args) == 1 {
				from = args[0]
			}
			return p.restore(cmd.Context(), from, flags)
		},
	}
	command.Flags().BoolVarP(&flags.yes, "yes", "y", false, "restore without asking")
	command.Flags().BoolVar(&flags.json, "json", false, "print what was restored as JSON")
	return command
}

type restoreFlags struct {
	yes  bool
	json bool
}

// restored is what planb restore --json prints.
type restored struct {
	Path string `json:"path"` // of the store
	From string `json:"from"`
	// Kept is the path of the old store; empty if there was none.
	Kept string `json:"kept,omitempty"`
	home.Checked
}

func (p upkeep) restore(ctx context.Context, from string, flags restoreFlags) (err error) {
	h, err := p.Home()
	if err != nil {
		return err
	}
	if from, err = backupToRestore(h, from); err != nil {
		return err
	}
	restoration, err := h.Restoration(ctx, from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, restoration.Close()) }()
	if err := p.showExchange(from, summary(restoration.Found), h.Path(), describeStore(restoration.Now)); err != nil {
		return err
	}
	if err := p.Consent("Restore it?", flags.yes); err != nil {
		return err
	}
	kept, err := restoration.CarryOut(ctx)
	if err != nil {
		return err
	}
	return p.printRestored(restored{h.Path(), from, kept, restoration.Found}, flags.json)
}

func (p upkeep) printRestored(r restored, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(p.Stdout).Encode(r)
	}
	text := layout.Item("Restored: ", r.Path, p.Width())
	if r.Kept != "" {
		text += layout.Item("What was there is kept: ", r.Kept, p.Width())
	}
	return p.Print(text)
}

// showExchange prints both stores before the question: the backup, and the
// store that it would replace.
func (p upkeep) showExchange(from, holds, path, now string) error {
	const restore, replace, below = "Restore   ", "Replace   ", "          "
	width := frame.Columns(p.Stderr)
	_, err := io.WriteString(p.Stderr, layout.Item(restore, from, width)+layout.Row(below, holds, width)+
		layout.Item(replace, path, width)+layout.Row(below, now, width))
	return err
}

// backupToRestore returns the file to restore: from, else the newest backup in the
// data directory.
func backupToRestore(h *home.Home, from string) (string, error) {
	if from != "" {
		info, err := os.Stat(from)
		switch {
		case err != nil:
			return "", fmt.Errorf("nothing was restored: %w; `planb restore` goes back to the latest backup", frame.FileFault(from, err))
		case info.IsDir():
			return "", fmt.Errorf("nothing was restored: %s is a directory, and a backup is one file; `planb import` takes over sessions that were exported into a directory", from)
		}
		return filepath.Abs(from)
	}
	list, err := h.Backups()
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", frame.UsageError(fmt.Errorf("there is no backup in %s; name the file to restore, as `planb restore FILE`", h.BackupsDir()))
	}
	return list[len(list)-1], nil
}

// describeStore describes the store that a restore would replace.
func describeStore(now home.Present) string {
	switch {
	case now.Missing:
		return "is not there"
	case now.NewerFile:
		return strings.Join(now.Problems, "; ")
	case len(now.Problems) > 0:
		return "damaged: " + strings.Join(now.Problems, "; ")
	}
	return summary(now.Checked)
}

// summary describes a file in one line.
func summary(c home.Checked) string {
	changed := "never"
	if !c.Content.Changed.IsZero() {
		changed = c.Content.Changed.Local().Format("2 January 2006, 15:04")
	}
	gaps := ""
	if list := c.Gaps(); len(list) > 0 {
		gaps = ", with gaps (" + strings.Join(list, "; ") + ")"
	}
	return fmt.Sprintf("%s, %s, last changed %s%s", wording.Bytes(c.File.Size), numbers(c), changed, gaps)
}
