package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"planb/cli/frame"
	"planb/cli/layout"
	"planb/questions/safe"
	"planb/setup/configfile"
	"planb/store/bolt"
	"planb/store/kv"
)

// rewrite shows the changes to the files and writes them if the person agrees.
// It prints done and after when the files are as they should be.
func (p program) rewrite(all []*configfile.Rewrite, flags setupFlags, done, after string) error {
	var changed []*configfile.Rewrite
	for _, r := range all {
		if r.Changed() {
			changed = append(changed, r)
		}
	}
	if len(changed) == 0 {
		return p.Tell("Nothing has to be changed: " + done + ".\n")
	}
	if !flags.print {
		if err := p.checkHomeOwner(flags.project); err != nil {
			return err
		}
	}
	// What the person agrees to must be shown where they are asked.
	show := p.Stderr
	if flags.print || flags.yes {
		show = p.Stdout
	}
	for _, r := range changed {
		if _, err := io.WriteString(show, p.shownDiff(show, r.Diff())); err != nil {
			return err
		}
	}
	if flags.print {
		return nil
	}
	if err := p.Consent("Write this?", flags.yes); err != nil {
		return err
	}
	for _, r := range changed {
		backup, err := r.Write(time.Now())
		if err != nil {
			return err
		}
		text := layout.Item("Written: ", safe.New(r.Path).Line(), p.Width())
		if backup != "" {
			text += layout.Item("  as it was: ", safe.New(backup).Line(), p.Width())
		}
		if err := p.Print(text); err != nil {
			return err
		}
	}
	return p.Tell(strings.TrimSpace(done+". "+after) + "\n")
}

// checkHomeOwner refuses to write files that the home directory's owner could not
// change later, as under sudo.
func (p configured) checkHomeOwner(project bool) error {
	if project {
		return nil
	}
	home, err := p.homeDir()
	if err != nil {
		return err
	}
	var fault *kv.Fault
	if err := bolt.OwnDir(home); errors.As(err, &fault) {
		return fmt.Errorf("%s %s; nothing was written, because the owner of %[1]s could not change the files later: run planb setup as that user", fault.Path, fault.What)
	} else if err != nil {
		return err
	}
	return nil
}

// shownDiff returns a diff as it is written to the file: unchanged, or on a
// terminal cleaned and with colours.
func (p program) shownDiff(to *os.File, diff string) string {
	if !frame.IsTerminal(to) {
		return diff
	}
	var out strings.Builder
	for line := range strings.Lines(diff) {
		text := safe.New(strings.TrimRight(line, "\r\n")).Line()
		if p.Env.NoColor() {
			out.WriteString(text + "\n")
			continue
		}
		style := ansi.Style{}
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			style = style.Bold()
		case strings.HasPrefix(line, "+"):
			style = style.ForegroundColor(ansi.Green)
		case strings.HasPrefix(line, "-"):
			style = style.ForegroundColor(ansi.Red)
		}
		out.WriteString(style.Styled(text) + "\n")
	}
	return out.String()
}
