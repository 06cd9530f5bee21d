package hook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A hook that took the result of the earlier plan for its own would withdraw
// the review while the person reads it.
func TestOnlyTheNewestPlansResultEndsItsReview(t *testing.T) {
	const (
		call   = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_%d","name":"ExitPlanMode"}]}}` + "\n"
		result = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_%d"}]}}` + "\n"
	)
	// Claude Code also logs its requests, which repeat earlier calls and results.
	logged := func(line string) string {
		for _, kind := range []string{"assistant", "user"} {
			line = strings.ReplaceAll(line, `"type":"`+kind+`"`, `"type":"api-request-blob"`)
		}
		return line
	}
	const missing = "no file yet"
	line := func(format string, id int) string { return fmt.Sprintf(format, id) }
	for name, test := range map[string]struct {
		before string
		added  []string // a tenth of a second apart
		ends   bool
	}{
		"its result":                              {line(call, 1), []string{line(result, 1)}, true},
		"its call and its result":                 {"", []string{line(call, 1), line(result, 1)}, true},
		"in a transcript that is made later":      {missing, []string{line(call, 1), line(result, 1)}, true},
		"made later with both":                    {missing, []string{line(call, 1) + line(result, 1)}, true},
		"in one line's parts":                     {line(call, 1), []string{line(result, 1)[:20], line(result, 1)[20:]}, true},
		"behind a late result":                    {line(call, 1), []string{line(result, 1), line(call, 2), line(result, 2)}, true},
		"the result of the plan before":           {line(call, 1), []string{line(result, 1), line(call, 2)}, false},
		"the same, in one piece":                  {line(call, 1), []string{line(result, 1) + line(call, 2)}, false},
		"a result that was there":                 {line(call, 1) + line(result, 1), []string{"{}\n"}, false},
		"the result of a call that it cannot see": {"", []string{line(result, 1)}, false},
		"a logged call behind its result":         {line(call, 1), []string{line(result, 1) + logged(line(call, 1))}, true},
		"a logged result of the plan before":      {line(call, 1), []string{logged(line(call, 1) + line(result, 1))}, false},
		"what is not JSON":                        {line(call, 1), []string{"\"tool_result\"\n"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "transcript.jsonl")
				if test.before != missing {
					grow(t, path, test.before)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				ended := make(chan bool, 1)
				go func() { ended <- awaitClaude(ctx, path) }()
				synctest.Wait()
				for _, text := range test.added {
					time.Sleep(100 * time.Millisecond)
					grow(t, path, text)
				}
				if got := <-ended; got != test.ends {
					t.Errorf("the review ends: %v, want %v", got, test.ends)
				}
			})
		})
	}
}

func grow(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
}
