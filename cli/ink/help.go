package ink

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"planb/cli/layout"
	"planb/tui/cells"
)

const (
	// widestHelp is the width of a line of help that is still read with ease. A file gets it,
	// too.
	widestHelp = 100
	// leastNames is the least width of the column of names, so that the descriptions begin
	// in the same column in the help of all commands.
	leastNames = 12
	// mostNames is the width of that column in a narrow terminal. The description of a longer
	// name with its arguments stands in the next line.
	mostNames = 16
)

// Help returns the help of a command: what it does, how it is called, examples, the
// commands below it in their groups, and its flags.
func (k Ink) Help(command *cobra.Command) string {
	h := helpText{ink: k}
	h.ink.Width = min(k.Width, widestHelp)
	about := command.Long
	if about == "" {
		about = command.Short + "."
	}
	h.about(joinLines(about))
	h.heading("Usage")
	for _, line := range usage(command) {
		h.WriteString(layout.Row("  ", line, h.ink.Width))
	}
	if command.Example != "" {
		h.heading("Examples")
		for line := range strings.Lines(command.Example) {
			h.WriteString("  " + h.ink.Accent.Render(strings.TrimSpace(line)) + "\n")
		}
	}
	h.groups(command)
	h.flags(command)
	if command.HasAvailableSubCommands() {
		h.WriteString("\n" + h.commandsMarked(layout.Text("`"+command.CommandPath()+" COMMAND --help` explains a command.", h.ink.Width)) + "\n")
	}
	return h.String()
}

// helpText is a help that is being written.
type helpText struct {
	strings.Builder
	ink Ink
}

// about says what the command does. An example in JSON has the colours of code. Lines with
// a tab are a table: a name, and behind the tab what it stands for.
func (h *helpText) about(text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			h.WriteString("\n")
		}
		if strings.Contains(paragraph, "\t") {
			var rows []helpRow
			for line := range strings.Lines(paragraph) {
				name, does, _ := strings.Cut(strings.TrimSpace(line), "\t")
				rows = append(rows, helpRow{arguments: name, does: does})
			}
			h.rows(rows, widest(rows), h.ink.Text)
			continue
		}
		code := strings.TrimLeft(paragraph, " ")
		if !strings.HasPrefix(code, "{") || h.ink.palette.Colorless() {
			h.WriteString(h.commandsMarked(layout.Text(paragraph, h.ink.Width)) + "\n")
			continue
		}
		margin := paragraph[:len(paragraph)-len(code)]
		h.WriteString(h.ink.Code("json", strings.ReplaceAll(code, "\n"+margin, "\n"), len(margin)))
	}
}

func (h *helpText) heading(title string) {
	h.WriteString("\n" + h.ink.Title.Render(title) + "\n")
}

// commandsMarked colours the words that stand in backquotes in the text. Without
// colours the backquotes stay.
func (h *helpText) commandsMarked(text string) string {
	if h.ink.palette.Colorless() {
		return text
	}
	return regexp.MustCompile("`[^`\n]+`").ReplaceAllStringFunc(text, func(quoted string) string {
		return h.ink.Accent.Render(strings.Trim(quoted, "`"))
	})
}

// usage is how the command is called: by itself, and with a command below it.
func usage(command *cobra.Command) (lines []string) {
	line := command.Use
	if command.HasParent() {
		line = command.Parent().CommandPath() + " " + line
	}
	if hasOwnFlags(command) && !strings.Contains(line, "[flags]") {
		line += " [flags]"
	}
	if command.Runnable() {
		lines = append(lines, line)
	}
	if command.HasAvailableSubCommands() {
		lines = append(lines, command.CommandPath()+" COMMAND")
	}
	return lines
}

// hasOwnFlags reports whether the command has a flag beside those that every command has.
func hasOwnFlags(command *cobra.Command) (own bool) {
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		own = own || !flag.Hidden && flag.Name != "help" && flag.Name != "version"
	})
	return own
}

// helpRow is a command or a flag with its description.
type helpRow struct {
	name, arguments, does string
}

// cells is the width of the name with its arguments.
func (r helpRow) cells() int { return ansi.StringWidth(r.name + r.arguments) }

// groups lists the commands below a command, group by group. A command without a group
// stands under Commands.
func (h *helpText) groups(command *cobra.Command) {
	if !command.HasAvailableSubCommands() {
		return
	}
	rows := map[string][]helpRow{}
	column := leastNames
	for _, sub := range command.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		row := helpRow{sub.Name(), strings.TrimPrefix(strings.ReplaceAll(sub.Use, " [flags]", ""), sub.Name()), sub.Short}
		rows[sub.GroupID] = append(rows[sub.GroupID], row)
		if h.ink.Width >= widestHelp || row.cells() <= mostNames {
			column = max(column, row.cells())
		}
	}
	for _, group := range append(command.Groups(), &cobra.Group{Title: "Commands"}) {
		if len(rows[group.ID]) > 0 {
			h.heading(group.Title)
			h.rows(rows[group.ID], column, h.ink.Accent)
		}
	}
}

// flags lists the flags, and last the one that prints the help.
func (h *helpText) flags(command *cobra.Command) {
	var rows, last []helpRow
	command.InitDefaultHelpFlag()
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		name := "    --" + flag.Name
		if flag.Shorthand != "" {
			name = "-" + flag.Shorthand + ", --" + flag.Name
		}
		value, does := pflag.UnquoteUsage(flag)
		if value != "" {
			value = " " + value
		}
		switch flag.DefValue {
		case "", "false", "0", "[]":
		default:
			does += " (default " + flag.DefValue + ")"
		}
		switch flag.Name { // cobra words these two
		case "help":
			last = append(last, helpRow{name, value, "Print this help"})
			return
		case "version":
			does = "print the version"
		}
		does = strings.ToUpper(does[:1]) + does[1:]
		rows = append(rows, helpRow{name, value, does})
	})
	rows = append(rows, last...)
	h.heading("Flags")
	h.rows(rows, widest(rows), h.ink.Success)
}

// rows lists names with their arguments, and their descriptions beside them.
func (h *helpText) rows(rows []helpRow, column int, style cells.Style) {
	for _, row := range rows {
		head := "  " + style.Render(row.name) + h.ink.Muted.Render(row.arguments)
		if row.cells() > column {
			h.WriteString(head + "\n")
			head = strings.Repeat(" ", gap+column+gap)
		} else {
			head += strings.Repeat(" ", column+gap-row.cells())
		}
		h.WriteString(h.commandsMarked(layout.Row(head, row.does, h.ink.Width)))
	}
}

// widest is the width of the widest name with its arguments.
func widest(rows []helpRow) (cells int) {
	for _, row := range rows {
		cells = max(cells, row.cells())
	}
	return cells
}

// joinLines makes one line of each paragraph. Indented lines stay as they are.
func joinLines(text string) string {
	var out strings.Builder
	before := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case before == "" && out.Len() == 0:
		case line != "" && before != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(before, " "):
			out.WriteByte(' ')
		default:
			out.WriteByte('\n')
		}
		out.WriteString(line)
		before = line
	}
	return out.String()
}
