package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goPackage is what `go list -json` tells of one package.
type goPackage struct {
	ImportPath string
	Dir        string
	Standard   bool
	GoFiles    []string
	Imports    []string
	Deps       []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,Deps", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		list = append(list, p)
	}
}

// forbidden says which imports a room must not have, directly or through
// others (deep), and why.
var forbidden = []struct {
	room   string // import path; "/..." takes in what lies below
	target string
	deep   bool
	reason string
}{
	{"planb/questions/...", "planb/store", true, "questions are rules; they do not know that anything is kept"},
	{"planb/questions/...", "planb/tui", true, "questions are rules; they do not know how they are drawn"},
	{"planb/questions/...", "planb/mcp", true, "questions are rules; they do not know who asks"},
	{"planb/questions/...", "planb/plans", true, "the two domain rooms stand beside each other"},
	{"planb/questions/...", "os", false, "a rule reads and writes nothing"},
	{"planb/questions/...", "net", false, "a rule reads and writes nothing"},
	{"planb/questions/lenient", "planb/questions", true, "JSON is read in the same way, whatever it is about"},
	{"planb/questions/safe", "planb/questions", true, "safe text is below everything that uses it"},
	{"planb/plans", "planb/store", true, "plans are rules; they do not know that anything is kept"},
	{"planb/plans", "planb/tui", true, "plans are rules; they do not know how they are drawn"},
	{"planb/plans", "planb/mcp", true, "plans are rules; they do not know who asks"},
	{"planb/plans", "os", false, "a rule reads and writes nothing"},
	{"planb/plans/diff", "planb/store", true, "what changed between two texts does not depend on where they are kept"},
	{"planb/plans/diff", "planb/tui", true, "what changed does not depend on how it is drawn"},
	{"planb/plans/diff", "planb/mcp", true, "what changed does not depend on who asks"},
	{"planb/plans/diff", "os", false, "comparing reads and writes nothing"},
	{"planb/plans/review", "planb/store", true, "what is said of a plan does not depend on where it is kept"},
	{"planb/plans/review", "planb/tui", true, "what is said of a plan does not depend on how it is drawn"},
	{"planb/plans/review", "planb/mcp", true, "what is said of a plan does not depend on who asks"},
	{"planb/plans/review", "os", false, "a rule reads and writes nothing"},
	{"planb/drafts", "planb/store", true, "drafts are rules; they do not know that anything is kept"},
	{"planb/drafts", "planb/tui", true, "drafts are rules; they do not know how they are drawn"},
	{"planb/drafts", "planb/mcp", true, "drafts are rules; they do not know who writes"},
	{"planb/drafts", "os", false, "a rule reads and writes nothing"},
	{"planb/drafts", "net/http", true, "a rule asks nobody for anything"},
	{"planb/drafts", "time", false, "a rule has no clock; the days of a plan are counted by its schedule"},
	{"planb/drafts", "planb/drafts/report", true, "what a plan is does not depend on how it is printed"},
	{"planb/drafts", "planb/drafts/example", true, "a plan is checked without knowing another one"},
	{"planb/drafts/example", "planb/store", true, "the example is read without a store"},
	{"planb/drafts/example", "os", false, "the example lies in the program"},
	{"planb/drafts/report", "planb/store", true, "a report is made of the records that it is given"},
	{"planb/drafts/report", "planb/tui", true, "a report is made without a screen"},
	{"planb/drafts/report", "planb/mcp", true, "a report does not depend on who asks for it"},
	{"planb/drafts/report", "os", false, "who asks for a file writes it"},
	{"planb/drafts/report", "net/http", true, "a page asks nobody for anything"},
	{"planb/drafts/shape", "planb/drafts/schedule", true, "what an output may be does not depend on what it is about"},
	{"planb/drafts/shape", "planb/store", true, "what an output may be does not depend on where it is kept"},
	{"planb/drafts/shape", "os", false, "a rule reads and writes nothing"},
	{"planb/drafts/command", "planb/drafts", true, "a program answers questions, whatever they are about"},
	{"planb/drafts/command", "planb/store", true, "what an answer is worth is judged by who asked"},
	{"planb/drafts/command", "net", false, "the program thinks; planb opens no socket for it"},
	{"planb/drafts/...", "planb/drafts/command", true, "who runs a program of the person's is the command line alone"},
	{"planb/mcp/...", "planb/drafts/command", true, "who runs a program of the person's is the command line alone"},
	{"planb/tui/...", "planb/drafts/command", true, "who runs a program of the person's is the command line alone"},
	{"planb/drafts/endpoint", "planb/drafts", true, "a server answers questions, whatever they are about"},
	{"planb/drafts/endpoint", "planb/store", true, "what an answer is worth is judged by who asked"},
	{"planb/drafts/endpoint", "os", false, "who has the key hands it in"},
	{"planb/drafts/...", "planb/drafts/endpoint", true, "what opens a connection is only there for the command line"},
	{"planb/mcp/...", "planb/drafts/endpoint", true, "what opens a connection is only there for the command line"},
	{"planb/tui/...", "planb/drafts/endpoint", true, "what opens a connection is only there for the command line"},
	{"planb/store/...", "planb/drafts/endpoint", true, "what opens a connection is only there for the command line"},
	{"planb/setup/...", "planb/drafts/endpoint", true, "what opens a connection is only there for the command line"},
	{"planb/procgroup", "planb/questions", true, "a process ends in the same way, whatever it was for"},
	{"planb/drafts/schedule", "planb/questions", true, "days are counted in the same way, whatever the texts of a plan say"},
	{"planb/drafts/schedule", "planb/plans", true, "days are counted in the same way, whatever the texts of a plan say"},
	{"planb/drafts/schedule", "planb/store", true, "a schedule does not depend on where its plan is kept"},
	{"planb/drafts/schedule", "os", false, "placing reads and writes nothing"},
	{"planb/plans/tasks", "planb/store", true, "what a plan of tasks is does not depend on where it is kept"},
	{"planb/plans/tasks", "planb/tui", true, "what a plan of tasks is does not depend on how it is drawn"},
	{"planb/plans/tasks", "planb/mcp", true, "what a plan of tasks is does not depend on who proposes it"},
	{"planb/plans/tasks", "planb/plans/review", true, "a plan of tasks is read and hashed whoever reviews it"},
	{"planb/plans/tasks", "os", false, "a rule reads and writes nothing"},
	{"planb/plans/tasks/templatefile", "planb/store", true, "a template is a file, and nothing that is kept"},
	{"planb/plans/tasks/templatefile", "planb/mcp", true, "a template is read in the same way, whoever asks for it"},
	{"planb/store", "planb/store/bolt", true, "the store is written against any engine; cli picks one"},
	{"planb/store/...", "planb/tui", true, "keeping does not depend on showing"},
	{"planb/store/...", "planb/mcp", true, "keeping does not depend on the protocol"},
	{"planb/store/ledger", "planb/store", true, "what every record family stands on does not know the families"},
	{"planb/store/ledger", "planb/store/bolt", true, "records are written against any engine; cli picks one"},
	{"planb/store/ledger", "planb/questions", false, "a ledger knows records, no domain noun"},
	{"planb/store/ledger", "planb/plans", true, "a ledger knows records, no domain noun"},
	{"planb/store/kv", "planb/store", true, "what an engine is does not depend on what is kept in it"},
	{"planb/store/kv", "planb/store/bolt", true, "what an engine is knows no engine"},
	{"planb/store/kv", "planb/questions", true, "an engine knows bytes, no domain noun"},
	{"planb/store/kv", "planb/plans", true, "an engine knows bytes, no domain noun"},
	{"planb/store/bolt", "planb/store", true, "an engine knows what an engine is, and not what is kept in it"},
	{"planb/store/bolt", "planb/questions", false, "an engine knows bytes, no domain noun"},
	{"planb/store/bolt", "planb/plans", false, "an engine knows bytes, no domain noun"},
	{"planb/store/tasks", "planb/store", true, "what tasks need of sessions and asks is handed in"},
	{"planb/store/tasks", "planb/store/bolt", true, "records are written against any engine; cli picks one"},
	{"planb/store/runs", "planb/store", true, "what drafts need of sessions and asks is handed in"},
	{"planb/store/runs", "planb/store/bolt", true, "records are written against any engine; cli picks one"},
	{"planb/store/runs", "planb/drafts/report", true, "a report is made of what is kept, for who asks for it"},
	{"planb/mcp/...", "planb/store/home", true, "cli hands in the store"},
	{"planb/tui/...", "planb/store/home", true, "cli hands in the store"},
	{"planb/setup/...", "planb/store/home", true, "cli hands in what it found"},
	{"planb/store", "planb/store/home", true, "a store does not know where it lies"},
	{"planb/store/machine", "planb/store", true, "which machine this is does not depend on what is kept there"},
	{"planb/store/project", "planb/store", true, "which project a directory is does not depend on what is kept of it"},
	{"planb/store/project", "os/exec", true, "a project is found without running git"},
	{"planb/store/search", "planb/store/bolt", true, "it reads what a store gives it, whatever keeps that"},
	{"planb/store/timeline", "planb/store/bolt", true, "it tells what a store gives it, whatever keeps that"},
	{"planb/store/archive/...", "planb/store/bolt", true, "it reads what a store gives it, whatever keeps that"},
	{"planb/store/archive/sessionpage", "os", false, "a page is made of what it is given, and given to a writer"},
	{"planb/store/archive/sessionpage", "net/http", true, "a page asks nobody for anything"},
	{"planb/plans/page", "planb/store", true, "what makes Markdown safe does not depend on where it is kept"},
	{"planb/plans/page", "planb/tui", true, "who draws the diagrams of a page hands that in"},
	{"planb/plans/page", "planb/mcp", true, "what makes Markdown safe does not depend on who asks"},
	{"planb/plans/page", "os", false, "a page is made of what it is given"},
	{"planb/plans/page", "net/http", true, "a page asks nobody for anything"},
	{"planb/mcp/...", "planb/tui", true, "the server must not draw: its stdout is the protocol"},
	{"planb/mcp/...", "planb/store/bolt", true, "cli hands in the engine"},
	{"planb/mcp/...", "go.etcd.io/bbolt", true, "cli hands in the engine"},
	{"planb/mcp/...", "charm.land/bubbletea/v2", true, "the server must not draw: its stdout is the protocol"},
	{"planb/mcp/wire", "planb/store", true, "the loop knows the protocol, and nothing that is kept"},
	{"planb/mcp/wire", "planb/questions", true, "the loop knows the protocol, and nothing that is asked"},
	{"planb/mcp/library", "planb/mcp/pane", true, "reading shows nothing to anybody"},
	{"planb/mcp/planfile", "planb/mcp/pane", true, "a plan is written, whether anybody sees it or not"},
	{"planb/mcp/planfile", "planb/plans/review", true, "a file of a plan does not know what is said of it"},
	{"planb/mcp/asking", "planb/mcp/planfile", true, "questions and plans know nothing of each other; both wait"},
	{"planb/mcp/asking", "planb/mcp/library", true, "asking shows nothing of the past"},
	{"planb/mcp/asking", "planb/plans/review", true, "questions and plans know nothing of each other; both wait"},
	{"planb/mcp/planning", "planb/mcp/asking", true, "questions and plans know nothing of each other; both wait"},
	{"planb/mcp/planning", "planb/mcp/library", true, "planning shows nothing of the past"},
	{"planb/mcp/tasks", "planb/mcp/asking", true, "questions and tasks know nothing of each other; both wait"},
	{"planb/mcp/tasks", "planb/mcp/planning", true, "texts of plans and plans of tasks know nothing of each other; both wait"},
	{"planb/mcp/tasks", "planb/mcp/library", true, "working on tasks shows nothing of the past"},
	{"planb/mcp/tasks", "planb/mcp/planfile", true, "a plan of tasks is kept in no file"},
	{"planb/mcp/wait", "planb/mcp/planfile", true, "waiting is the same whatever is asked; the toolset hands in the words"},
	{"planb/mcp/wait", "planb/mcp/library", true, "waiting shows nothing of the past"},
	{"planb/mcp/wait", "planb/plans/review", true, "waiting is the same whatever is asked; the toolset hands in the words"},
	{"planb/mcp/wait/dialog", "planb/mcp/pane", true, "a dialog is shown by the client"},
	{"planb/mcp/tool", "planb/mcp/pane", true, "a result is the same wherever its question is shown"},
	{"planb/mcp/agent", "planb/mcp/pane", true, "an agent is the same wherever its questions are shown"},
	{"planb/mcp/pane", "planb/store", true, "what opens a pane does not know what runs inside"},
	{"planb/tui/...", "planb/mcp", true, "screens and protocol meet only in the store"},
	{"planb/tui/...", "planb/mcp/pane", true, "screens and protocol meet only in the store"},
	{"planb/tui/...", "planb/store/bolt", true, "cli hands in the store"},
	{"planb/tui/...", "go.etcd.io/bbolt", true, "cli hands in the store"},
	{"planb/tui/...", "net", false, "a screen opens no connection"},
	{"planb/tui/ask", "charm.land/bubbletea/v2", true, "drawn screens and plain lines are two faces of one host"},
	{"planb/tui/ask", "planb/tui", true, "the host knows no face of it"},
	{"planb/tui/markdown", "planb/store", true, "rendering knows text and colours, nothing else"},
	{"planb/tui/markdown/diagram/...", "planb/themes", true, "a drawing has roles; who shows it gives them colours"},
	{"planb/tui/markdown/diagram/...", "planb/questions/safe", true, "a drawing is text; who shows it makes it safe"},
	{"planb/tui/markdown/diagram/...", "charm.land/lipgloss/v2", true, "a drawing has roles; who shows it gives them colours"},
	{"planb/tui/markdown/diagram/...", "os", false, "drawing reads and writes nothing"},
	{"planb/tui/markdown/diagram/canvas", "planb/tui/markdown/diagram/label", true, "a canvas paints strings; who lays them out breaks them into lines"},
	{"planb/tui/markdown/diagram/sequence", "planb/tui/markdown/diagram/graph", true, "each kind of diagram is laid out by rules of its own"},
	{"planb/tui/cells", "planb/questions", true, "how wide a line is does not depend on what it says"},
	{"planb/tui/cells", "os", false, "measuring reads and writes nothing"},
	{"planb/tui/wording", "charm.land/bubbletea/v2", true, "words are said on screens and line by line"},
	{"planb/tui/keymap", "planb/store", true, "a table of keys does not depend on what is kept"},
	{"planb/themes", "planb/store", true, "palettes are data; the states that have colours are in questions"},
	{"planb/themes", "planb/tui", true, "palettes are data; components take them, not the other way round"},
	{"planb/themes", "charm.land/lipgloss/v2", true, "palettes are data without components"},
	{"planb/plainjson", "planb/questions/safe", true, "JSON is written in the same way, whatever is in it"},
	{"planb/files", "planb/questions/safe", true, "a file is read and written in the same way, whatever is in it"},
	{"planb/files", "planb/store", true, "a file is read and written in the same way, whatever is in it"},
	{"planb/setup/...", "planb/mcp", true, "what is set up is the protocol's surroundings, not the protocol"},
	{"planb/setup/...", "planb/tui", true, "who asks for consent hands it in"},
	{"planb/setup/known", "planb/setup/edit", true, "what a client is depends on no file of it"},
	{"planb/setup/known", "os", false, "a table reads and writes nothing"},
	{"planb/cli/ink", "planb/cli", true, "printing is the same whatever command prints"},
	{"planb/cli/ink", "planb/store", true, "printing knows text and colours, and no record"},
	{"planb/cli/ink", "planb/tui", true, "what is printed needs no window"},
	{"planb/cli/layout", "os", false, "setting lines reads and writes nothing"},
	{"planb/cli/layout", "planb/cli", true, "setting lines knows no command"},
	{"planb/setup/...", "planb/store/bolt", true, "cli hands in the engine"},
	{"planb/setup/...", "go.etcd.io/bbolt", true, "cli hands in the engine"},
	{"planb/...", "planb/questions/safe/safetest", true, "hostile text is for tests only"},
	{"planb/...", "planb/drafts/draftstest", true, "a made-up draft is for tests only"},
	{"planb/...", "planb/store/kv/kvtest", true, "the law of engines is for tests only"},
	{"planb/...", "planb/store/storetest", true, "engines opened for a test are for tests only"},
	{"planb/...", "planb/e2e/rig/fakestore", true, "made-up stores are for tests only"},
	{"planb/...", "planb/tui/tuitest", true, "a world in memory is for tests only"},
	{"planb/...", "planb/mcp/mcptest", true, "a server with a store in memory is for tests only"},
	{"planb/cli/frame", "planb/cli", true, "what commands stand on knows no command"},
	{"planb/cli/frame", "planb/mcp", true, "what commands stand on serves no agent"},
	{"planb/cli/frame", "planb/tui", true, "what commands stand on draws no screen"},
	{"planb/cli/hook", "planb/cli", true, "a hook is the same whatever command runs it"},
	{"planb/cli/hook", "planb/mcp", true, "a review is asked for as any agent asks for it"},
	{"planb/cli/hook", "planb/mcp/pane", false, "the server opens the pane of a review"},
	{"planb/cli/draft", "planb/cli", true, "a command is the same wherever it stands in the tree"},
	{"planb/cli/draft", "planb/mcp", true, "a person's commands work on the store, and serve no agent"},
	{"planb/cli/draft", "planb/tui", true, "who has a screen hands in how to open it"},
	{"planb/cli/draft", "net", false, "the person's program thinks; planb opens no socket for it"},
	{"planb/cli/tasks", "planb/cli", true, "a command is the same wherever it stands in the tree"},
	{"planb/cli/tasks", "planb/mcp", true, "a person's commands work on the store, and serve no agent"},
	{"planb/cli/tasks", "planb/tui", true, "who has a screen hands in how to open it"},
	{"planb/cli/ownagent", "planb/mcp", true, "planb's own client knows the protocol only"},
	{"planb/setup/...", "planb/cli", true, "a command hands in what it read, and prints what it is given"},
	{"planb/setup/...", "planb/cli/frame", true, "a command hands in what it read, and prints what it is given"},
	{"planb/cli/logfile", "planb/cli", true, "a log does not depend on what is logged"},
	{"planb", "planb/store", false, "main embeds texts and starts cli, nothing else"},
	{"planb", "planb/mcp", false, "main embeds texts and starts cli, nothing else"},
	{"planb", "planb/tui", false, "main embeds texts and starts cli, nothing else"},
	{"planb/...", "planb/e2e/rig/inprocess", true, "commands that run in the process of a test are for tests only"},
	{"planb/...", "planb/e2e/rig", true, "the harness is for the tests of the whole program"},
	{"planb/...", "log", false, "slog is used, with the logger handed in"},
}

// tuiRooms are the rooms of tui from the bottom up. None of them imports one that
// stands behind it here, and each says why it needs nothing of those.
var tuiRooms = []struct{ room, reason string }{
	{"planb/tui/cells", "lines have the same cells whatever they show"},
	{"planb/tui/marks", "a sign is the same whatever it stands beside"},
	{"planb/tui/markdown/diagram/label", "a text breaks in the same way in every diagram"},
	{"planb/tui/markdown/diagram/canvas", "cells are painted in the same way, whatever diagram they show"},
	{"planb/tui/markdown/diagram/graph/simplex", "numbers are found in the same way, whatever they place"},
	{"planb/tui/markdown/diagram/graph", "boxes and lines are laid out in the same way, whatever language describes them"},
	{"planb/tui/markdown/diagram/sequence", "messages are laid out in the same way, whatever language describes them"},
	{"planb/tui/markdown/diagram/mermaid", "a source is read in the same way, whatever is drawn around the diagram"},
	{"planb/tui/markdown/diagram", "a drawing does not know the text it stands in"},
	{"planb/tui/markdown", "rendering knows text and colours, and no screen"},
	{"planb/tui/lanes", "lines lead to nodes in the same way, whatever the nodes are"},
	{"planb/tui/keymap", "a table of keys does not know what its actions do"},
	{"planb/tui/wording", "words are the same on every screen"},
	{"planb/tui/screen", "what all screens share knows none of them"},
	{"planb/tui/preview", "what belongs to a row is drawn in the same way, whatever list the row is in"},
	{"planb/tui/editor", "a text is edited in the same way, whatever it is for"},
	{"planb/tui/overview", "rows are listed in groups in the same way, whatever they are"},
	{"planb/tui/prompt", "a question is put in the same way, whatever its answer does"},
	{"planb/tui/editor/external", "a text is lent in the same way, whatever it is for"},
	{"planb/tui/compare", "two texts are compared in the same way, whatever opens them"},
	{"planb/tui/themepicker", "themes are chosen in the same way over every screen"},
	{"planb/tui/form/rendering", "a piece of a form is rendered in the same way, whatever question it belongs to"},
	{"planb/tui/form/field", "a question is answered in the same way, whatever form it stands in"},
	{"planb/tui/form", "the shell of a form does not know what it is about, nor who keeps what is answered"},
	{"planb/tui/review", "a plan is reviewed in the same way, whatever opened it"},
	{"planb/tui/tuitest", "the tests of every room use it"},
	{"planb/tui/ask", "the host has drawn screens and plain lines as faces, and knows neither"},
	{"planb/tui/askscreen", "an ask is answered on its screen in the same way, whatever window or list opened it"},
	{"planb/tui/retro", "the past is the same whatever list it is opened from, and whatever form opens over it"},
	{"planb/tui/tasks", "tasks are the same whatever list they are opened from"},
	{"planb/tui/drafts", "drafts are the same whatever list they are opened from"},
	{"planb/tui/inbox", "what waits is listed in the same way, whatever form opens over it"},
	{"planb/tui/lines", "what is asked line by line needs no window"},
	{"planb/tui", "it opens the rooms"},
}

// mcpRooms are those of mcp.
var mcpRooms = []struct{ room, reason string }{
	{"planb/mcp/pane", "what opens a pane does not know what runs inside"},
	{"planb/mcp/wire", "the loop hands calls to its handler, whatever serves them"},
	{"planb/mcp/agent", "an agent is the same whatever it calls, and whatever serves it"},
	{"planb/mcp/tool", "what tools have in common knows no tool, no plan and no wait"},
	{"planb/mcp/wait/dialog", "a dialog does not know when it is shown"},
	{"planb/mcp/planfile", "a file of a plan is the same whatever tool writes or reads it"},
	{"planb/mcp/library", "what is read does not depend on the tools that wrote it"},
	{"planb/mcp/wait", "waiting is the same whatever is asked; the toolset hands in the words"},
	{"planb/mcp/asking", "a toolset knows no other toolset, and not where it is offered"},
	{"planb/mcp/planning", "a toolset knows no other toolset, and not where it is offered"},
	{"planb/mcp/tasks", "a toolset knows no other toolset, and not where it is offered"},
	{"planb/mcp/drafts", "a toolset knows no other toolset, and not where it is offered"},
	{"planb/mcp", "it connects the rooms"},
	{"planb/mcp/mcptest", "the tests of every room use it"},
}

// TestPackages checks what go tells of all packages, which takes it long.
func TestPackages(t *testing.T) {
	list := listPackages(t)
	t.Run("rooms of tui run down", func(t *testing.T) { runDown(t, list, "planb/tui/...", tuiRooms) })
	t.Run("rooms of mcp run down", func(t *testing.T) { runDown(t, list, "planb/mcp/...", mcpRooms) })
	t.Run("arrows run down", func(t *testing.T) { arrowsRunDown(t, list) })
	t.Run("questions and plans use only the standard library", func(t *testing.T) { useOnlyTheStandardLibrary(t, list) })
	t.Run("every package has one package comment", func(t *testing.T) { haveOnePackageComment(t, list) })
	t.Run("nothing happens or is kept at package level", func(t *testing.T) { keepNothingAtPackageLevel(t, list) })
}

func runDown(t *testing.T, list []goPackage, tree string, rooms []struct{ room, reason string }) {
	t.Helper()
	level := map[string]int{}
	for i, r := range rooms {
		level[r.room] = i
	}
	seen := 0
	for _, p := range list {
		if !p.in(tree) {
			continue
		}
		own, listed := level[p.ImportPath]
		if !listed {
			t.Errorf("%s stands nowhere in the list of %s", p.ImportPath, tree)
			continue
		}
		seen++
		for _, dep := range p.Deps {
			if at, ok := level[dep]; ok && at > own {
				t.Errorf("%s imports %s: %s", p.ImportPath, dep, rooms[own].reason)
			}
		}
	}
	if seen != len(rooms) {
		t.Errorf("%d of %d rooms exist in %s", seen, len(rooms), tree)
	}
}

func (p goPackage) in(room string) bool {
	if base, below := strings.CutSuffix(room, "/..."); below {
		return p.ImportPath == base || strings.HasPrefix(p.ImportPath, base+"/")
	}
	return p.ImportPath == room
}

func arrowsRunDown(t *testing.T, list []goPackage) {
	matched := map[string]bool{}
	for _, p := range list {
		for _, rule := range forbidden {
			forTests := strings.HasSuffix(p.ImportPath, "test") && strings.HasSuffix(rule.target, "test")
			if !p.in(rule.room) || p.ImportPath == rule.target || forTests {
				continue
			}
			if rule.room == "planb/..." && p.in("planb/e2e/...") {
				continue // all of it is for tests
			}
			matched[rule.room] = true
			imports := p.Imports
			if rule.deep {
				imports = p.Deps
			}
			if slices.Contains(imports, rule.target) {
				t.Errorf("%s imports %s: %s", p.ImportPath, rule.target, rule.reason)
			}
		}
	}
	for _, rule := range forbidden {
		if !matched[rule.room] {
			t.Errorf("a rule is about %s, but no such package exists", rule.room)
		}
	}
}

// The rules of the domain use nothing but the standard library, so that they
// can be read and tested alone, and jsontext, which Go takes into it as
// encoding/json/jsontext.
func useOnlyTheStandardLibrary(t *testing.T, list []goPackage) {
	for _, p := range list {
		if !p.in("planb/questions/...") && !p.in("planb/plans") && !p.in("planb/plans/tasks") {
			continue
		}
		for _, dep := range p.Deps {
			first, _, _ := strings.Cut(dep, "/")
			ours := first == "planb"
			standard := !strings.Contains(first, ".") || strings.HasPrefix(dep, "github.com/go-json-experiment/json/")
			if !ours && !standard {
				t.Errorf("%s depends on %s; only the standard library is allowed there", p.ImportPath, dep)
			}
		}
	}
}

func haveOnePackageComment(t *testing.T, list []goPackage) {
	for _, p := range list {
		var having []string
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if file.Doc == nil {
				continue
			}
			having = append(having, name)
			text := file.Doc.Text()
			want := "Package " + file.Name.Name + " "
			if file.Name.Name == "main" {
				want = "Command " + filepath.Base(p.Dir) + " "
			}
			if p.ImportPath == "planb" {
				want = "Planb "
			}
			if !strings.HasPrefix(text, want) {
				t.Errorf("%s/%s: the package comment must begin with %q", p.ImportPath, name, want)
			}
			if words := len(strings.Fields(text)); words < 15 {
				t.Errorf("%s/%s: the package comment has %d words; say what lives here and what never does", p.ImportPath, name, words)
			}
		}
		if len(having) != 1 {
			t.Errorf("%s has %d package comments %v, want one", p.ImportPath, len(having), having)
		}
	}
}

// What a package does when it is loaded costs every start, and what it keeps in
// variables is shared by everything: so there is no init function, and a
// package variable is an error, embedded text, or nothing but a check of the compiler.
func keepNothingAtPackageLevel(t *testing.T, list []goPackage) {
	for _, p := range list {
		if p.in("planb/e2e/...") || p.in("planb/tui/tuitest") || p.in("planb/mcp/mcptest") || p.in("planb/drafts/draftstest") {
			continue // they serve tests, which share a built program, a moment and a whole draft
		}
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, declaration := range file.Decls {
				switch d := declaration.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil && d.Name.Name == "init" {
						t.Errorf("%s: an init function", files.Position(d.Pos()))
					}
				case *ast.GenDecl:
					if d.Tok == token.VAR && !isEmbedded(d) {
						checkVariables(t, files, d)
					}
				}
			}
		}
	}
}

func isEmbedded(d *ast.GenDecl) bool {
	return d.Doc != nil && strings.Contains(d.Doc.List[len(d.Doc.List)-1].Text, "//go:embed ")
}

func checkVariables(t *testing.T, files *token.FileSet, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		value := spec.(*ast.ValueSpec)
		for i, name := range value.Names {
			if name.Name == "_" {
				continue
			}
			if i < len(value.Values) && makesError(value.Values[i]) {
				continue
			}
			t.Errorf("%s: the package variable %s", files.Position(name.Pos()), name.Name)
		}
	}
}

// makesError reports whether the expression is a call of errors.New or fmt.Errorf.
func makesError(expression ast.Expr) bool {
	call, ok := expression.(*ast.CallExpr)
	if !ok {
		return false
	}
	function, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (function.Sel.Name == "New" || function.Sel.Name == "Errorf")
}
