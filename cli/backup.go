package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/setup/layout"
	"planb/store/bolt"
	"planb/store/kv"
)

func (p program) backupCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Copy everything planb keeps into a file, while it is in use",
		Long: "Copy everything planb keeps into a file, while it is in use; without FILE, into the directory backups in the data directory.\n" +
			"The copy is checked before it gets its name. An existing file is never overwritten.",
		Args: atMostOne("file"),
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

func (p program) backup(ctx context.Context, to string, asJSON bool) error {
	path, err := p.storePath()
	if err != nil {
		return err
	}
	if to, err = backupPath(path, to, time.Now()); err != nil {
		return err
	}
	found, err := p.backUp(ctx, path, to)
	if err != nil {
		return err
	}
	if gaps := found.gaps(); len(gaps) > 0 {
		notice := "The backup has gaps, as the store has: " + strings.Join(gaps, "; ") + ". planb doctor says what to do about them."
		if _, err := fmt.Fprintln(p.stderr, notice); err != nil {
			return err
		}
	}
	if asJSON {
		return json.NewEncoder(p.stdout).Encode(struct {
			Path string `json:"path"`
			checked
		}{to, found})
	}
	return p.print(to + "\n" + layout.Row("", humanBytes(found.File.Size)+", "+found.numbers(), p.width()))
}

// backUp copies the store to the file to, after checking the copy.
func (p program) backUp(ctx context.Context, path, to string) (found checked, err error) {
	if _, err := os.Lstat(to); err == nil {
		return checked{}, fmt.Errorf("%s is there already, and a backup overwrites no file; name another file", to)
	}
	engine, err := bolt.Open(ctx, path, bolt.Options{MustExist: true})
	if err != nil {
		return checked{}, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return checked{}, fmt.Errorf("there is no directory for the backup: %w; name a file elsewhere with  planb backup FILE", err)
	}
	// The copy lies beside the backup, not beside the store: the store's disk
	// may be full or read-only, and that is when backups are needed.
	made, err := p.checkCopy(ctx, filepath.Dir(to), path, func(copied string) error { return engine.Copy(ctx, copied) })
	if fault, ok := errors.AsType[*kv.Fault](err); ok && fault.Unwritable() {
		err = fmt.Errorf("%w; or name a file elsewhere with  planb backup FILE", err)
	}
	if err != nil {
		return checked{}, err
	}
	defer func() { err = errors.Join(err, made.done()) }()
	if problems := made.problems(); len(problems) > 0 {
		return checked{}, fmt.Errorf("no backup was made, because %s is damaged: %s; save all that can be read with  planb doctor --repair  and then make it again", path, strings.ReplaceAll(strings.Join(problems, "; "), made.path, path))
	}
	if err := bolt.MoveFile(made.path, to); err != nil {
		return checked{}, err
	}
	return made.checked, nil
}

const (
	backupsDir = "backups"
	// backupTime sorts by name as by time, and is a valid file name on every
	// system.
	backupTime = "20060102T150405.000Z"
)

// backupPath returns the path of a backup: to, or if that is empty a name with
// the time in the directory of backups.
func backupPath(path, to string, now time.Time) (string, error) {
	if to != "" {
		return filepath.Abs(to)
	}
	return filepath.Join(filepath.Dir(path), backupsDir, "planb-"+now.UTC().Format(backupTime)+".db"), nil
}

// backups lists the backups that were made without a name, the newest last.
func backups(path string) ([]string, error) {
	return bolt.FilesIn(filepath.Join(filepath.Dir(path), backupsDir), "planb-*.db")
}

// humanBytes formats a size for a person.
func humanBytes(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
