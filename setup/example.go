package setup

import (
	"strings"

	"planb/themes"
)

// Example returns a settings file to start from. It sets nothing: every setting
// is a comment with its meaning, its allowed values and its default.
func Example() string {
	var b strings.Builder
	b.WriteString("# The settings of planb. A setting in a comment has its default; remove the # to\n" +
		"# set it. Environment variables override this file, flags override both.\n" +
		"# `planb config` shows what applies, `planb config check` looks for mistakes.\n")
	table := ""
	for _, key := range Keys(themes.Collection{}) {
		name := key.Name
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
			in := name[:dot]
			if name = name[dot+1:]; in != table {
				table = in
				b.WriteString("\n[" + table + "]\n")
			}
		}
		b.WriteString("\n")
		for _, sentence := range key.sentences() {
			b.WriteString(comment(sentence))
		}
		b.WriteString("# " + name + " = " + key.Default() + "\n")
	}
	b.WriteString("\n" + comment("Keys of actions: one key, or a list; with an empty list the action has none. `planb config keys` lists the screens, their actions and keys.") +
		"\n# On every screen that has the action:\n[keys]\n# help = [\"f2\", \"?\"]\n" +
		"\n# On one screen:\n[keys.form]\n# submit = \"ctrl+x\"\n")
	return b.String()
}

// sentences document the setting: its meaning, its allowed values, and the
// variable and flag that override the file.
func (k Key) sentences() []string {
	list := []string{k.Sentence()}
	if k.kind != kindSwitch { // true or false, as the value shows
		list = append(list, "Allowed: "+k.Allowed()+".")
	}
	if stronger := k.stronger(); stronger != "" {
		list = append(list, stronger)
	}
	return list
}

// Sentence says what the setting does.
func (k Key) Sentence() string { return strings.ToUpper(k.About[:1]) + k.About[1:] + "." }

// Remarks is Sentences without the first, and without what the value shows: which values are
// allowed where they are names, or where the value is empty.
func (e Effective) Remarks() (list []string) {
	empty := e.Value == `""` || e.Value == "[]"
	switch {
	case e.shownBy != "":
		list = append(list, "`"+e.shownBy+"` shows what is allowed.")
	case e.choices != nil || empty && !e.obvious:
		list = append(list, "Allowed: "+e.Allowed()+".")
	}
	key := e.Key
	if e.Source >= FromEnvironment { // the value's origin says it already
		key.Env = ""
	}
	if stronger := key.stronger(); stronger != "" {
		list = append(list, stronger)
	}
	return list
}

// stronger names what overrides the file; empty if nothing does.
func (k Key) stronger() string {
	var stronger []string
	if k.Env != "" {
		stronger = append(stronger, k.Env)
	}
	if k.Flag != "" {
		stronger = append(stronger, "`planb mcp --"+k.Flag+"`")
	}
	if len(stronger) == 0 {
		return ""
	}
	return "Overridden by: " + strings.Join(stronger, ", ") + "."
}

// comment formats words as comment lines of at most 80 characters.
func comment(words string) string {
	var out strings.Builder
	line := "#"
	for word := range strings.FieldsSeq(words) {
		if len(line)+1+len(word) > 80 {
			out.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	return out.String() + line + "\n"
}
