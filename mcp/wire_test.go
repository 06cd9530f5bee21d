package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/mcp/pane"
)

// Transcripts are conversations as they go over the wire: "> " is a line of the
// client, and the "< " lines under it are what the server answers. Ids of
// sessions and asks and the data directory stand as <session>, <short> and <data>,
// the state a call is to be made again with as <state>, the id of a request of the
// server as <request>. Where the file is named
// for dialogs no pane can be opened.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "mcp", "wire", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var dir string
			w := mcptest.NewWorld(t, func(cfg *mcp.Config) {
				dir = cfg.DataDir
				if strings.HasPrefix(filepath.Base(file), "dialog") {
					cfg.NoOpen, cfg.Opener = false, pane.None{Reason: mcptest.NoPane}
				}
			})
			got := replay(t, w, dir, string(raw))
			mcptest.Snapshot(t, "wire/"+filepath.Base(file), []byte(got))
		})
	}
}

var uuidText = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

var (
	shortText = regexp.MustCompile(`(planb tui ask |"shortId":")[0-9a-f]{8}`)
	stateText = regexp.MustCompile(`"requestState":"([^"]*)"`)
	askedText = regexp.MustCompile(`"id":"(planb-[^"]*)"`)
)

// replay sends the transcript's client lines one after another and returns the
// transcript with the answers it got.
func replay(t *testing.T, w *mcptest.World, dir, transcript string) string {
	t.Helper()
	in, out := &mcptest.Lines{}, &mcptest.Recorder{}
	served := make(chan error, 1)
	go func() { served <- w.Serve(t.Context(), in, out) }()
	var said []string
	session, state, request, seen := "", "", "", 0
	for line := range strings.Lines(transcript) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "< ") {
			continue
		}
		said = append(said, line)
		sent, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		in.Add(strings.NewReplacer("<session>", session, "<state>", state, "<request>", request).Replace(sent))
		if isNotification(sent) {
			continue
		}
		// The reply is the last line that a request brings about.
		mcptest.Until(t, "a reply to "+sent, func() bool {
			all := out.Lines()
			return len(all) > seen && slices.ContainsFunc(all[seen:], func(l string) bool { return !isNotification(l) })
		})
		for _, answer := range out.Lines()[seen:] {
			seen++
			if id := uuidText.FindString(answer); id != "" && session == "" {
				session = id
			}
			if asked := stateText.FindStringSubmatch(answer); asked != nil {
				state = asked[1]
				answer = strings.ReplaceAll(answer, state, "<state>")
			}
			if asked := askedText.FindStringSubmatch(answer); asked != nil {
				request = asked[1]
				answer = strings.ReplaceAll(answer, request, "<request>")
			}
			answer = strings.ReplaceAll(answer, dir, "<data>")
			answer = shortText.ReplaceAllString(answer, "${1}<short>")
			said = append(said, "< "+uuidText.ReplaceAllString(answer, "<session>"))
		}
	}
	in.Close()
	select {
	case err := <-served:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(mcptest.Patience):
		t.Fatal("the server did not end")
	}
	if more := out.Lines()[seen:]; len(more) > 0 {
		t.Errorf("said at the end: %q", more)
	}
	return strings.Join(said, "\n") + "\n"
}

func isNotification(line string) bool {
	var m mcptest.Message
	return json.Unmarshal([]byte(line), &m) == nil && m.Method != "" && len(m.ID) == 0
}
