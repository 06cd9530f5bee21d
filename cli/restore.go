package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/setup/layout"
	"planb/store"
	"planb/store/bolt"
)

func (p program) restoreCommand() *cobra.Command {
	var flags restoreFlags
	command := &cobra.Command{
		Use:   "restore [FILE]",
		Short: "Go back to a backup; what is there now is kept",
		Long: "Go back to a backup: FILE, or the newest one that planb backup made without a name. First it shows what the backup and\n" +
			"the present store contain. The present store is kept beside the restored one, even if damaged. Running servers and\n" +
			"forms go on with the restored store. Sessions of other machines then belong to this machine.",
		Args: atMostOne("file"),
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
	checked
}

func (p program) restore(ctx context.Context, from string, flags restoreFlags) (err error) {
	path, err := p.storePath()
	if err != nil {
		return err
	}
	if from, err = backupToRestore(path, from); err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := bolt.OwnDir(dir); err != nil {
		return err
	}
	// Check and restore one private copy, so that no process can change the
	// file between the check and the restore.
	back, err := p.checkCopy(ctx, dir, from, func(to string) error { return bolt.CopyFile(from, to) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, back.done()) }()
	if problems := back.problems(); len(problems) > 0 {
		return fmt.Errorf("%s can't be restored, so nothing was changed: %s", from, strings.ReplaceAll(strings.Join(problems, "; "), back.path, from))
	}
	engine, err := bolt.At(path, bolt.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	now, err := p.describeStore(ctx, engine, path)
	if err != nil {
		return err
	}
	if err := p.showExchange(from, back.summary(), path, now); err != nil {
		return err
	}
	if err := p.consent("Restore it?", flags.yes); err != nil {
		return err
	}
	aside := path + ".before-restore-" + time.Now().UTC().Format(backupTime)
	if err := engine.Replace(ctx, back.path, aside); err != nil {
		return fmt.Errorf("nothing was restored: %w", err)
	}
	if _, err := os.Lstat(aside); err != nil {
		aside = ""
	}
	// Sessions from another machine now belong to this one.
	if err := p.withStore(ctx, func(ctx context.Context, st *store.Store) error { return st.Adopt(ctx) }); err != nil {
		return fmt.Errorf("%s was restored, but its sessions still count as another machine's: %w; run planb restore again", path, err)
	}
	return p.printRestored(restored{path, from, aside, back.checked}, flags.json)
}

func (p program) printRestored(r restored, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(p.stdout).Encode(r)
	}
	text := layout.Item("Restored: ", r.Path, p.width())
	if r.Kept != "" {
		text += layout.Item("What was there is kept: ", r.Kept, p.width())
	}
	return p.print(text)
}

// showExchange prints both stores before the question: the backup, and the
// store that it would replace.
func (p program) showExchange(from, holds, path, now string) error {
	const restore, replace, below = "Restore   ", "Replace   ", "          "
	width := columns(p.stderr)
	_, err := io.WriteString(p.stderr, layout.Item(restore, from, width)+layout.Row(below, holds, width)+
		layout.Item(replace, path, width)+layout.Row(below, now, width))
	return err
}

// backupToRestore returns the file to restore: from, else the newest backup in the
// data directory.
func backupToRestore(path, from string) (string, error) {
	if from != "" {
		return filepath.Abs(from)
	}
	list, err := backups(path)
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", usageError(fmt.Errorf("there is no backup in %s; name the file to restore", filepath.Join(filepath.Dir(path), backupsDir)))
	}
	return list[len(list)-1], nil
}

// describeStore describes the store that a restore would replace.
func (p program) describeStore(ctx context.Context, engine *bolt.Engine, path string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "is not there", nil
	}
	now, err := p.checkCopy(ctx, filepath.Dir(path), path, func(to string) error {
		err := engine.Copy(ctx, to)
		if err != nil {
			err = bolt.CopyFile(path, to) // too damaged to be copied as a store
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if problems := now.problems(); len(problems) > 0 {
		return "damaged: " + strings.ReplaceAll(strings.Join(problems, "; "), now.path, path), now.done()
	}
	return now.summary(), now.done()
}

// summary describes the content of a file in one line.
func (c checked) summary() string {
	changed := "never"
	if !c.Content.Changed.IsZero() {
		changed = c.Content.Changed.Local().Format("2 January 2006, 15:04")
	}
	gaps := ""
	if list := c.gaps(); len(list) > 0 {
		gaps = ", with gaps (" + strings.Join(list, "; ") + ")"
	}
	return fmt.Sprintf("%s, %s, last changed %s%s", humanBytes(c.File.Size), c.numbers(), changed, gaps)
}
