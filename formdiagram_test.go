package main_test

import (
	"os"
	"path/filepath"
	"testing"
)

// An illustration with a flowchart and a sequence diagram is drawn in the side panel
// of a form, in a real tmux, and what is not drawn is there as its source. What is
// too wide whichever way it leads is panned, and once the panel is wide enough for that has short labels and
// a legend. A terminal without Unicode gets ASCII.
func TestDiagramsAreDrawnInTheSidePanel(t *testing.T) {
	t.Parallel()
	tm := startTmux(t, 120, 40)
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
	pane := tm.open(t.TempDir(), "ask", file)
	tm.ready(pane)
	tm.shows(pane, "│ Ann │", "│ an introduction │", "├────────────────►│")
	tm.keys(pane, "Right")
	tm.shows(pane,
		"  ╱│╲       ┌─────┐", "│    GET    │", "├──────────►╽", " ┌─ alt [known] ─┐", " │ │◄┄┄┄┄┄┄┄┄┄┄┦ │",
		"│ Browser ├── asks ──►│ Store │")
	tm.keys(pane, "Down")
	tm.shows(pane, `Diagrams of the kind "pie" are not drawn; here is the source:`, `"a" : 1`)
	tm.keys(pane, "Down")
	tm.shows(pane, "│ customer  │   │ looks the │", "cols 1–", "of 93")
	tm.text(pane, "<<<")
	tm.shows(pane, "│ cust… ├──►│ shop  ├──►│", "│ the…  │   │ the…  │   │ wher… │")
	tm.keys(pane, "NPage")
	tm.shows(pane, "The order is clos…: The order is closed and paid out")

	pane = tm.run("new-window", "-d", "-P", "-F", "#{pane_id}", "-e", "PLANB_DATA_DIR="+t.TempDir(), "-e", "LC_ALL=C", "--", planb(t), "ask", file)
	tm.ready(pane)
	tm.keys(pane, "Right")
	tm.shows(pane, "| Browser +-- asks -->| Store |", "|    GET    |")
}
