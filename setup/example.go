package setup

import (
	"strings"

	"planb/setup/layout"
)

// Example is a file to start from: every setting as a comment, with what it does,
// what may stand there and its default. It sets nothing.
func Example() string {
	var b strings.Builder
	b.WriteString("# The settings of planb. What is a comment has its default; take the # away to\n" +
		"# set it. Environment variables are stronger than this file, flags than both.\n" +
		"# `planb config` shows what counts, `planb config check` looks for mistakes.\n")
	table := ""
	for _, key := range Keys() {
		name := key.Name
		if in, short, ok := strings.Cut(key.Name, "."); ok {
			if name = short; in != table {
				table = in
				b.WriteString("\n[" + table + "]\n")
			}
		}
		b.WriteString("\n")
		for _, sentence := range key.Sentences() {
			b.WriteString(comment(sentence))
		}
		b.WriteString("# " + name + " = " + key.Default() + "\n")
	}
	b.WriteString("\n" + comment("Keys of actions: one, or a list; an empty list takes them away. `planb config keys` lists the screens, their actions and the keys they have.") +
		"\n# On every screen that has the action:\n[keys]\n# help = [\"f2\", \"?\"]\n" +
		"\n# On one screen:\n[keys.form]\n# submit = \"ctrl+x\"\n")
	return b.String()
}

// Sentences document the setting: what it does, what may stand there, and what is
// stronger than the file.
func (k Key) Sentences() []string {
	list := []string{strings.ToUpper(k.About[:1]) + k.About[1:] + ".", "Allowed: " + k.Allowed + "."}
	var stronger []string
	if k.Env != "" {
		stronger = append(stronger, k.Env)
	}
	if k.Flag != "" {
		stronger = append(stronger, "planb mcp --"+k.Flag)
	}
	if len(stronger) > 0 {
		list = append(list, "Stronger: "+strings.Join(stronger, ", ")+".")
	}
	return list
}

// comment sets words as a comment.
func comment(words string) string {
	const width = 80 - len("# ")
	return "# " + strings.ReplaceAll(layout.Text(words, width), "\n", "\n# ") + "\n"
}
