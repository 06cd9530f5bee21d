package cli

import (
	"strconv"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"planb/cli/ink"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
)

// On a narrow terminal the title keeps its cells. What makes room is left out whole.
func TestStoryOnANarrowTerminal(t *testing.T) {
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local)
	story := &timeline.Story{
		Session: store.Session{ID: "00000000-0000-7000-8000-00000000aaaa", Title: safe.New("Retries"),
			Client: store.Client{Title: safe.New("An agent with a long name of its own in this test")}},
		Events: []timeline.Event{
			{ID: timeline.ID{Kind: timeline.Created}, At: at},
			{ID: timeline.ID{Kind: timeline.Answered}, At: at, By: "ann@harbour", Waited: 4 * time.Minute},
			{ID: timeline.ID{Kind: timeline.Delivered}, At: at},
		},
	}
	for _, width := range []int{120, 80, 60, 40} {
		t.Run(strconv.Itoa(width), func(t *testing.T) {
			golden.RequireEqual(t, storyText(ink.Ink{Width: width, Terminal: true}, story, "", nil, at))
		})
	}
}
