package tui

import (
	"testing"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/tuitest"
)

func TestFilterFindsWordsNotLetters(t *testing.T) {
	state := sessionsState{}
	state.replace(nil, []store.Session{
		{ID: "1", Title: safe.New("Webhook delivery"), Project: safe.New("/home/you/hooks")},
		{ID: "2", Title: safe.New("We have been here, okay"), Project: safe.New("/srv/other")},
	}, "", tuitest.Moment)
	state.setFilter("whook", tuitest.Moment) // in order within the word "Webhook", not across the words of the other
	if len(state.rows) != 1 || state.rows[0].index != 0 {
		t.Errorf("the filter lets through %v", state.rows)
	}
	state.setFilter("web other", tuitest.Moment)
	if len(state.rows) != 0 {
		t.Errorf("words of two sessions let through %v", state.rows)
	}
	state.setFilter("", tuitest.Moment)
	if len(state.rows) != 2 {
		t.Errorf("no filter lets through %v", state.rows)
	}
}
