package tool

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"sync"
)

// Way is how a client is made to show a dialog.
type Way int

const (
	NoDialog  Way = iota // it cannot
	ByRequest            // by a request, while the call waits
	ByResult             // by the call's result: it is made again, with the reply (versions from 2026-07-28 on)
)

// maxDialogStates is how many dialogs of one connection are remembered. The state
// of an older one is refused.
const maxDialogStates = 100

// Dialogs are the dialogs that one connection was given and has not replied to.
type Dialogs struct {
	mu     sync.Mutex
	shown  map[string]Dialog // by state
	oldest []string          // their states
}

// Dialog is the content of a dialog that was shown.
type Dialog struct {
	AskID   string
	Content [sha256.Size]byte
}

// Add returns the state of a new dialog.
func (d *Dialogs) Add(shown Dialog) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown == nil {
		d.shown = map[string]Dialog{}
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

// Redeem returns the dialog of that state, because its reply has come. A state can be
// redeemed once.
func (d *Dialogs) Redeem(state string) (Dialog, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	shown, ok := d.shown[state]
	delete(d.shown, state)
	return shown, ok
}

// DialogReply is the reply to a dialog of this connection, which a client returns
// by making its call again.
type DialogReply struct {
	Dialog Dialog
	Reply  json.RawMessage // null if the client brings no reply to it
}
