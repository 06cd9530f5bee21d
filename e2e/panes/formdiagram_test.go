package panes_test

import (
	"os"
	"path/filepath"
	"testing"

	"planb/e2e/rig"
)

// The side panel of a form, in a real tmux, draws an illustration with a
// flowchart and a sequence diagram, and shows the source of a diagram that is
// not drawn. A diagram that is too wide in both directions can be panned. Once
// the panel is wide enough for it, it gets short labels and a legend. A
// terminal without Unicode gets ASCII.
func TestDiagramsAreDrawnInTheSidePanel(t *testing.T) {
	t.Parallel()
	tm := rig.StartTmux(t, 120, 40)
	file := filepath.Join(t.TempDir(), "form.json")
	const form = `{
	  "title": "How shall requests be signed in?",
	  "intro": "~~~ Mermaid\nsequenceDiagram\nAnn->>Web: an introduction\n~~~",
	  "questions": [{"id": "way", "kind": "single", "label": "Which way?", "options": [
	    {"value": "session", "label": "Sessions", "markdown": "` + "```mermaid\\nsequenceDiagram\\n" +
		`actor U as Visitor\nparticipant W as Web\nU->>+W: GET\nalt known\nW-->>-U: the page\nend\n` + "```\\n\\n```mermaid\\n" +
		`flowchart LR\nA[Browser] -->|asks| B[Store]\n` + "```" + `"},
	    {"value": "none", "label": "None", "markdown": "` + "```mermaid\\npie\\n\\\"a\\\" : 1\\n```" + `"},
	    {"value": "long", "label": "Much said", "markdown": "` + "```mermaid\\nflowchart LR\\n" +
		`A[The customer opens the page of an order] --> B[The shop looks the order up in its store] --> C[The warehouse says where the parcel is now]` +
		` --> D[The carrier says when it comes] --> E[The customer is told by mail] --> F[The order is closed and paid out]\n` +
		`G --> aaaaa & bbbbb & ccccc & ddddd & eeeee & fffff & ggggg & hhhhh\n` + "```" + `"}]}]
	}`
	if err := os.WriteFile(file, []byte(form), 0o600); err != nil {
		t.Fatal(err)
	}
	pane := tm.Open(t.TempDir(), "ask", file)
	tm.Ready(pane)
	tm.Shows(pane, "│ Ann │", "│ an introduction │", "├────────────────►│")
	tm.Keys(pane, "Right")
	tm.Shows(pane,
		"  ╱│╲       ┌─────┐", "│    GET    │", "├──────────►╽", " ┌─ alt [known] ─┐", " │ │◄┄┄┄┄┄┄┄┄┄┄┦ │",
		"│ Browser ├── asks ──►│ Store │")
	tm.Keys(pane, "Down")
	tm.Shows(pane, `Diagrams of the kind "pie" are not drawn; here is the source:`, `"a" : 1`)
	tm.Keys(pane, "Down")
	tm.Shows(pane, "│ customer  │   │ looks the │", "←→ 1–", "of 93")
	tm.Text(pane, "<<<")
	tm.Shows(pane, "│ cust… ├──►│ shop  ├──►│", "│ the…  │   │ the…  │   │ wher… │")
	tm.Keys(pane, "NPage")
	tm.Shows(pane, "The order is clos…: The order is closed and paid out")

	pane = tm.NewWindow("-e", "PLANB_DATA_DIR="+t.TempDir(), "-e", "LC_ALL=C", "--", rig.Planb(t), "ask", file)
	tm.Ready(pane)
	tm.Keys(pane, "Right")
	tm.Shows(pane, "| Browser +-- asks -->| Store |", "|    GET    |")
}
