package draft

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"planb/drafts/report"
	"planb/files"
	"planb/store"
	"planb/store/runs"
)

func (c Commands) openCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "open DRAFT",
		Short: "Open the report of a draft in the browser",
		Long: "Write the report of a draft as a web page and open it in the browser. The page loads nothing. Where there is no browser,\n" +
			"and over SSH, the path is printed and nothing is opened. The draft called example is one that planb brings along.",
		Example:           "  planb draft open 3f9a1c\n  planb draft open example",
		Args:              one,
		ValidArgsFunction: c.offer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.named(cmd.Context(), args[0], func(_ *store.Store, w runs.Whole) error {
				path, why, err := c.openReport(cmd.Context(), w)
				if err != nil {
					return err
				}
				said := saidOfReport(path, why)
				if why != "" {
					said += " `planb draft report " + store.ShortID(w.ID) + "` prints it here."
				}
				return c.Tell(said + "\n")
			})
		},
	}
}

// OpenReport writes the report of a draft, opens it in the person's browser if there is one
// here, and says where it is.
func (c Commands) OpenReport(ctx context.Context, w runs.Whole) (said string, err error) {
	path, why, err := c.openReport(ctx, w)
	if err != nil {
		return "", err
	}
	return saidOfReport(path, why), nil
}

// openReport does so, and returns where the page is and why it was not opened.
func (c Commands) openReport(ctx context.Context, w runs.Whole) (path, why string, err error) {
	page, err := report.HTML(w.Draft)
	if err != nil {
		return "", "", err
	}
	state, err := c.Env.StateDir()
	if err != nil {
		return "", "", err
	}
	dir := filepath.Join(state, "reports")
	if err := files.MakeDir(dir, 0o700); err != nil {
		return "", "", fmt.Errorf("the report could not be written: %w", err)
	}
	path = filepath.Join(dir, "draft-"+store.ShortID(w.ID)+".html")
	if err := files.Replace(path, page); err != nil {
		return "", "", fmt.Errorf("the report could not be written: %w", err)
	}
	argv, why := browser(runtime.GOOS, c.Env.Get)
	if why == "" {
		if err := runBriefly(ctx, append(argv, path)); err != nil {
			why = err.Error()
		}
	}
	return path, why, nil
}

func saidOfReport(path, why string) string {
	if why != "" {
		return fmt.Sprintf("The report is in %s. It was not opened: %s.", path, why)
	}
	return "The report is open in your browser. It is in " + path
}

// browser returns the program that opens a page in the person's browser, or why none can.
func browser(system string, env func(string) string) (argv []string, why string) {
	if env("SSH_CONNECTION") != "" || env("SSH_TTY") != "" {
		return nil, "this is a connection over SSH"
	}
	switch system {
	case "darwin":
		return []string{"open"}, ""
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}, ""
	}
	if env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == "" {
		return nil, "no desktop is here (neither $DISPLAY nor $WAYLAND_DISPLAY is set)"
	}
	return []string{"xdg-open"}, ""
}

// openTime is how long a program may take to hand a page to the browser. A program that
// takes longer is the browser itself, and is left running.
const openTime = 5 * time.Second

// runBriefly runs a program that ends soon, or goes on by itself.
func runBriefly(ctx context.Context, argv []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("there is no program %s", argv[0])
		}
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s failed (%w)", argv[0], err)
		}
	case <-time.After(openTime):
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}
