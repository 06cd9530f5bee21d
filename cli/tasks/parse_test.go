package tasks

import (
	"testing"

	"planb/questions/safe"
)

// What comes from stdin has no name that tells its format.
func TestFormatOfWhatHasNoName(t *testing.T) {
	const issue, plan = `{"id":"bd-1","title":"Write the API","status":"open"}`, `{"title":"Auth","tasks":[{"title":"Write the API"}]}`
	for text, want := range map[string]string{
		issue: "Imported from beads", issue + "\n": "Imported from beads", issue + "\r\n" + issue[:9] + `2","title":"B"}` + "\r\n": "Imported from beads",
		`{"_type":"beads-jsonl","version":1}` + "\r\n" + issue: "Imported from beads",
		plan: "Auth", "# Auth\n- [ ] " + issue: "Auth",
	} {
		if got, err := parse([]byte(text), safe.Text{}, ""); err != nil || got.Title.Raw() != want {
			t.Errorf("%s is read as %q, %v", text, got.Title.Raw(), err)
		}
	}
	if got, err := parse([]byte(`{"id":"bd-1",`+plan[1:]), safe.Text{}, ""); err == nil {
		t.Errorf("a plan with an id is read as %q", got.Title.Raw())
	}
}
