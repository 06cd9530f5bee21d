package draft

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/drafts/report"
	"planb/files"
	"planb/store"
	"planb/store/runs"
)

func (c Commands) reportCommand() *cobra.Command {
	var to string
	command := &cobra.Command{
		Use:   "report DRAFT",
		Short: "Print the report of a draft, or write it as a web page",
		Long: "Print the report of a draft as Markdown, or write it with --to: x.html is one page that loads nothing, x.md is Markdown.\n" +
			"The report of an unfinished draft says so. A file that exists is not replaced.",
		Example:           "  planb draft report 3f9a1c\n  planb draft report 3f9a1c --to plan.html",
		Args:              one,
		ValidArgsFunction: c.offer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.named(cmd.Context(), args[0], func(_ *store.Store, w runs.Whole) error {
				data := report.Markdown(w.Draft)
				switch ext := strings.ToLower(filepath.Ext(to)); {
				case to == "":
					return c.Print(string(data))
				case ext == ".html":
					page, err := report.HTML(w.Draft)
					if err != nil {
						return err
					}
					data = page
				case ext != ".md":
					return frame.UsageError(fmt.Errorf("--to is %q; allowed: a file that ends with .html or .md", to))
				}
				return c.write(to, data)
			})
		},
	}
	command.Flags().StringVar(&to, "to", "", "write it to `FILE`, as plan.html or plan.md")
	return command
}

func (c Commands) zipCommand() *cobra.Command {
	var to string
	command := &cobra.Command{
		Use:   "zip DRAFT",
		Short: "Write all files of a draft into a zip",
		Long: "Write all files of a draft into a zip: the report as a web page and as Markdown, the prompt, each step's output, the work\n" +
			"breakdown and the schedule for a spreadsheet, and a manifest with hashes. A file that exists is not replaced.",
		Example:           "  planb draft zip 3f9a1c --to plan.zip",
		Args:              one,
		ValidArgsFunction: c.offer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.named(cmd.Context(), args[0], func(_ *store.Store, w runs.Whole) error {
				data, err := report.Zip(w.Draft, w.RunError())
				if err != nil {
					return err
				}
				if to == "" {
					to = "draft-" + store.ShortID(w.ID) + ".zip"
				}
				return c.write(to, data)
			})
		},
	}
	command.Flags().StringVar(&to, "to", "", "write it to `FILE`; draft-ID.zip by default")
	return command
}

// write writes a file that is not there yet, and says where it is.
func (c Commands) write(to string, data []byte) error {
	path, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	switch err := files.WriteNew(path, data); {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s is there already and was not replaced; name another file with --to", path)
	case err != nil:
		return fmt.Errorf("the file was not written: %w", err)
	}
	return c.Tell("Written: " + path + "\n")
}
