package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/setup"
)

// shells lists the shells for which planb prints completions.
func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func (p program) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completions for bash, zsh, fish or powershell",
		Long: "Print the completions for bash, zsh, fish or powershell. They offer commands, flags, clients, settings, sessions and forms.\n\n" +
			"Every new shell loads them with one line in its startup file:\n\n" +
			"    bash  ~/.bashrc                   source <(planb completion bash)\n" +
			"    zsh   ~/.zshrc, after compinit    source <(planb completion zsh)\n" +
			"    fish  ~/.config/fish/config.fish  planb completion fish | source\n\n" +
			"and for PowerShell in $PROFILE:\n\n" +
			"    planb completion powershell | Out-String | Invoke-Expression",
		Example:           "  source <(planb completion bash)",
		Args:              frame.ExactlyOne("shell"),
		ValidArgsFunction: offerFirst(shells()...),
		RunE:              func(cmd *cobra.Command, args []string) error { return p.completion(cmd.Root(), args[0]) },
	}
}

func (p program) completion(root *cobra.Command, shell string) error {
	const descriptions = true
	switch shell {
	case "bash":
		if err := root.GenBashCompletionV2(p.Stdout, descriptions); err != nil {
			return err
		}
		return p.Print(bashAlone)
	case "zsh":
		return root.GenZshCompletion(p.Stdout)
	case "fish":
		return root.GenFishCompletion(p.Stdout, descriptions)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(p.Stdout)
	}
	return frame.UsageError(fmt.Errorf("there are no completions for %q%s", shell, setup.DidYouMean(shell, shells(), "; there are some for bash, zsh, fish and powershell")))
}

// bashAlone replaces one function of cobra's script. That function needs the package
// bash-completion; without the package it prints an error at each Tab. It splits the
// line at blanks only, as the package does when it is told to keep = and : in a word.
const bashAlone = `
__planb_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local line=${COMP_LINE:0:COMP_POINT}
    read -ra words <<< "$line"
    if [[ $line == *[[:blank:]] ]]; then
        words+=("")
    fi
    cword=$((${#words[@]} - 1))
    cur=${words[cword]}
    prev=${words[cword - 1]}
}
`
