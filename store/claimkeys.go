package store

import (
	"context"
	"errors"
	"maps"
	"slices"

	"planb/store/kv"
	"planb/store/ledger"
)

const (
	showClaims  = ledger.ClaimKeys + "show/"
	waitClaims  = ledger.ClaimKeys + "wait/"
	askerClaims = ledger.ClaimKeys + "asker/"
)

// ShowClaims is the prefix of all claims of the panes that show the ask.
func ShowClaims(askID string) kv.Key { return showClaims + kv.Key(ledger.Hash(askID)) + "/" }

// ShowClaim is the claim of one pane that shows the ask. Owner is any text that
// no other pane uses.
func ShowClaim(askID, owner string) kv.Key {
	return ShowClaims(askID) + kv.Key(ledger.Hash(owner))
}

// PlaceClaim is the claim of the pane that serves the place's queue.
func PlaceClaim(place string) kv.Key {
	return ledger.ClaimKeys + "place/" + kv.Key(ledger.Hash(place))
}

// WaitClaims is the prefix of all claims of the processes that wait for the ask.
func WaitClaims(askID string) kv.Key { return waitClaims + kv.Key(ledger.Hash(askID)) + "/" }

// WaitClaim is the claim of one process that waits for the ask. Owner is any text
// that no other waiting process uses.
func WaitClaim(askID, owner string) kv.Key {
	return WaitClaims(askID) + kv.Key(ledger.Hash(owner))
}

// AskerClaims is the prefix of the claims of all processes that asked the ask. Each
// will learn the ask's outcome; none has to wait for it now.
func AskerClaims(askID string) kv.Key { return askerClaims + kv.Key(ledger.Hash(askID)) + "/" }

// AskerClaim is the claim of one process that asked the ask. Owner is any text that
// no other one uses.
func AskerClaim(askID, owner string) kv.Key {
	return AskerClaims(askID) + kv.Key(ledger.Hash(owner))
}

// Standing says, for one moment, which asks a process waits for and which asks a pane
// shows.
type Standing struct {
	waits, shows map[string][]Claim // by the hash of the ask's id
}

// Waited reports whether any process waits for the ask's outcome.
func (s Standing) Waited(askID string) bool { return len(s.waits[ledger.Hash(askID)]) > 0 }

// Shown returns the claims of the panes that show the ask.
func (s Standing) Shown(askID string) []Claim { return s.shows[ledger.Hash(askID)] }

// Standing reads the live claims on all asks at once; see Claims.Alive for which
// claims live. It costs two scans of the engine, however many asks there are. A claim
// that cannot be read is left out: the others are returned with an error that
// AboutOneRecord knows.
func (s *Store) Standing(ctx context.Context) (Standing, error) {
	waits, unreadWaits := s.byAsk(ctx, waitClaims)
	shows, unreadShows := s.byAsk(ctx, showClaims)
	for _, err := range []error{unreadWaits, unreadShows} {
		if err != nil && !ledger.AboutOne(err) {
			return Standing{}, err
		}
	}
	return Standing{waits, shows}, errors.Join(unreadWaits, unreadShows)
}

// byAsk returns the live claims of a family by the hashes of their asks.
func (s *Store) byAsk(ctx context.Context, family kv.Key) (map[string][]Claim, error) {
	live, err := s.Live(ctx, family)
	list := map[string][]Claim{}
	for _, key := range slices.Sorted(maps.Keys(live)) {
		ask := ledger.Parent(key)
		list[ask] = append(list[ask], live[key])
	}
	return list, err
}
