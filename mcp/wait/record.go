package wait

import (
	"sync"
	"time"

	"planb/store"
)

// records are what this process remembers of asks until they are settled.
type records struct {
	mu sync.Mutex
	by map[string]record // by ask id
}

// record is what this process remembers of one ask.
type record struct {
	pushed pushed
	expiry expiry
	vain   vain
	dialog shownDialog
}

// use calls do with the ask's record, which do may change.
func (r *records) use(askID string, do func(*record)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.by[askID]
	do(&known)
	if known == (record{}) {
		delete(r.by, askID)
		return
	}
	if r.by == nil {
		r.by = map[string]record{}
	}
	r.by[askID] = known
}

// of returns the ask's record as it is now.
func (r *records) of(askID string) (known record) {
	r.use(askID, func(now *record) { known = *now })
	return known
}

func (r *records) forget(askID string) { r.use(askID, func(known *record) { *known = record{} }) }

// pushed is how far planb has gone in bringing an ask before the person by itself. It
// stops where that would become a nuisance.
type pushed int

const (
	pushedOnce  pushed = iota // when it was asked
	pushedAgain               // once more, after the person had closed it
	pushedLater               // the agent knows that the person put it off; after that it comes up
	pushedOff                 // the agent was told to send the person to the terminal
)

func (r *records) setPushed(askID string, far pushed) {
	r.use(askID, func(known *record) { known.pushed = far })
}

// expiry is when the time of an ask is over on this process's own clock, which does not
// move when the system's clock is set, and not with another machine's. It counts from when
// this process first waited for the ask, or heard that it was asked again.
type expiry struct {
	asked time.Time // which asking it is about
	end   time.Time // with a monotonic part
}

// restart counts the ask's time from now.
func (known *record) restart(ask store.Ask) {
	known.expiry = expiry{asked: ask.Asked, end: time.Now().Add(ask.Timeout)}
}

// timer fires when the ask's time is over. A time that is over already when a wait begins
// starts anew, because the call waits for a late answer; so does the time of an ask that
// was asked again.
func (r *records) timer(ask store.Ask) (<-chan time.Time, func()) {
	if ask.Timeout <= 0 {
		return nil, func() {}
	}
	var end time.Time
	r.use(ask.ID, func(known *record) {
		if ask.Asked.After(known.expiry.asked) || !time.Now().Before(known.expiry.end) {
			known.restart(ask)
		}
		end = known.expiry.end
	})
	t := time.NewTimer(time.Until(end))
	return t.C, func() { t.Stop() }
}

// shownDialog is a client's own dialog for an ask. One ask has at most one.
type shownDialog struct {
	since  time.Time // zero: there was none
	reason error     // why there is no pane
	open   bool      // a call waits while it is shown
}

// beginDialog notes the ask's dialog. first is false if the ask has had one, and open is
// true if that is shown just now.
func (r *records) beginDialog(askID string, reason error, waits bool) (first, open bool) {
	r.use(askID, func(known *record) {
		if !known.dialog.since.IsZero() {
			open = known.dialog.open
			return
		}
		known.dialog, first = shownDialog{since: time.Now(), reason: reason, open: waits}, true
	})
	return first, open
}

// dialogOf returns since when the ask has a dialog, and why no pane shows it. If another
// process had the dialog shown, the time is zero.
func (r *records) dialogOf(askID string) (since time.Time, reason error) {
	if shown := r.of(askID).dialog; !shown.since.IsZero() {
		return shown.since, shown.reason
	}
	return time.Time{}, errAnotherDialog
}

// endDialog notes that the ask's dialog is shown no more.
func (r *records) endDialog(askID string) {
	r.use(askID, func(known *record) { known.dialog.open = false })
}
