package scripts_test

import (
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"planb/e2e/rig"
)

// draftID puts the short id of the newest draft into a variable: draftid DRAFT.
func (p inProcess) draftID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: draftid VARIABLE")
	}
	var drafts []struct {
		Short string `json:"shortId"`
	}
	p.list(ts, &drafts, "draft", "--json")
	ts.Setenv(args[0], drafts[0].Short)
}

// writer puts a program into the script's directory that answers each step of a draft
// as a model would, in writer.sh, and the prompt that it answers, in prompt.txt. An
// answer that the script puts into wrong/STEP.json is given once instead.
func (p inProcess) writer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: writer")
	}
	dir := ts.MkAbs("answers")
	ts.Check(os.MkdirAll(ts.MkAbs("wrong"), 0o700))
	ts.Check(os.CopyFS(dir, os.DirFS(filepath.Join(p.root, "drafts", "workshop"))))
	prompt, err := os.ReadFile(filepath.Join(dir, "prompt.txt"))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("prompt.txt"), prompt, 0o600))
	ts.Check(rig.WriteProgram(ts.MkAbs("writer.sh"), `#!/bin/sh
text=$(cat)
step=$(printf '%s' "$text" | sed -n '1s/^STEP [0-9]*\/[0-9]* \([a-z.0-9]*\) .*/\1/p')
cd '`+ts.MkAbs(".")+`' || exit 1
printf '%s\n' "$text" >> asked.txt
if test -f wrong/$step.json; then
	cat wrong/$step.json
	test -f wrong/always || rm wrong/$step.json
	exit
fi
echo "Sure, here it is:"
cat answers/$step.json
`))
}
