package mcp

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"sync"
)

// dialogWay is how a client is made to show a dialog.
type dialogWay int

const (
	noDialog        dialogWay = iota // it cannot
	dialogByRequest                  // by a request, while the call waits
	dialogByResult                   // by the call's result: it is made again, with the reply (versions from 2026-07-28 on)
)

// maxDialogStates is how many dialogs of one connection are remembered. The state
// of an older one is refused.
const maxDialogStates = 100

// dialogStates are the dialogs that one connection was given and has not replied
// to.
type dialogStates struct {
	mu     sync.Mutex
	shown  map[string]shownDialog // by state
	oldest []string               // their states
}

// shownDialog is what a dialog asked.
type shownDialog struct {
	askID   string
	content [sha256.Size]byte
}

// add returns the state of a new dialog.
func (d *dialogStates) add(shown shownDialog) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown == nil {
		d.shown = map[string]shownDialog{}
	}
	if len(d.oldest) == maxDialogStates {
		delete(d.shown, d.oldest[0])
		d.oldest = d.oldest[1:]
	}
	state := rand.Text()
	d.shown[state] = shown
	d.oldest = append(d.oldest, state)
	return state
}

// redeem returns the dialog of that state, whose reply has come. The state is
// worth nothing afterwards.
func (d *dialogStates) redeem(state string) (shownDialog, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	shown, ok := d.shown[state]
	delete(d.shown, state)
	return shown, ok
}

// givenInput is the reply to a dialog of this connection, which a client returns
// by making its call again.
type givenInput struct {
	dialog shownDialog
	reply  json.RawMessage // null where the client says nothing of the dialog
}
