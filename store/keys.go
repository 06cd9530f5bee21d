package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// The families of keys; doc.go says what each holds. A family's name and the
// order of a key's parts are part of the format.
const (
	formatKey   Key = "format"
	goneKey     Key = "gone"
	adoptedKey  Key = "adopted"
	sessionKeys Key = "s/"
	changedKeys Key = "t/"
	planKeys    Key = "p/"
	fileKeys    Key = "n/"
	askKeys     Key = "a/"
	partOfKeys  Key = "sa/"
	openKeys    Key = "o/"
	undelivered Key = "u/"
	shortKeys   Key = "i/"
	sameKeys    Key = "e/"
	digestKeys  Key = "g/"
	queueKeys   Key = "q/"
	lateKeys    Key = "w/"
	popupKeys   Key = "b/"
	draftKeys   Key = "d/"
	chunkKeys   Key = "x/"
	splitKeys   Key = "l/"
	claimKeys   Key = "k/"
	memoryKeys  Key = "m/"
	showClaims  Key = claimKeys + "show/"
	waitClaims  Key = claimKeys + "wait/"
	askerClaims Key = claimKeys + "asker/"
)

func sessionKey(id string) Key { return sessionKeys + Key(id) }

// changedKey sorts the later of two times first.
func changedKey(updated time.Time, session string) Key {
	return changedKeys + Key(fmt.Sprintf("%016x/%s", uint64(math.MaxInt64-updated.UnixNano()), session))
}

// changedAt is the time in such a key; zero if it has none.
func changedAt(key Key) time.Time {
	inverted, _, _ := strings.Cut(string(key[len(changedKeys):]), "/")
	n, err := strconv.ParseUint(inverted, 16, 64)
	if err != nil || n > math.MaxInt64 {
		return time.Time{}
	}
	return time.Unix(0, math.MaxInt64-int64(n)).UTC()
}

func plansOf(session string) Key { return planKeys + Key(session) + "/" }

func planKey(session string, number int) Key {
	return plansOf(session) + Key(fmt.Sprintf("%08d", number))
}

// fileKey is the key of a plan file, by its path on a machine.
func fileKey(machine, path string) Key {
	if machine != "" {
		path = machine + " " + path
	}
	return fileKeys + Key(hashed(path))
}

func askKey(id string) Key { return askKeys + Key(id) }

func asksOf(session string) Key            { return partOfKeys + Key(session) + "/" }
func partOfKey(session, ask string) Key    { return asksOf(session) + Key(ask) }
func openOf(session string) Key            { return openKeys + Key(session) + "/" }
func openKey(session, ask string) Key      { return openOf(session) + Key(ask) }
func undeliveredOf(session string) Key     { return undelivered + Key(session) + "/" }
func undeliveredKey(session, a string) Key { return undeliveredOf(session) + Key(a) }

// sessionIn is the session in the key of an index of asks.
func sessionIn(key Key) string {
	parts := strings.Split(string(key), "/")
	return parts[max(len(parts)-2, 0)]
}

func shortKey(ask string) Key { return shortKeys + Key(ShortID(ask)) + "/" + Key(ask) }

func sameKey(session, digest string) Key { return sameKeys + Key(session) + "/" + Key(digest) }

func digestOf(digest string) Key       { return digestKeys + Key(digest) + "/" }
func digestKey(digest, ask string) Key { return digestOf(digest) + Key(ask) }

func queueKey(place string) Key { return queueKeys + Key(hashed(place)) }

func lateOf(ask string) Key { return lateKeys + Key(ask) + "/" }
func lateKey(ask string, number int) Key {
	return lateOf(ask) + Key(fmt.Sprintf("%02d", number))
}

// popupKey is what is remembered of the panes that come up by themselves at a place.
func popupKey(place string) Key { return popupKeys + Key(hashed(place)) }

func draftKey(ask string) Key             { return draftKeys + Key(ask) }
func draftParts(ask string) Key           { return draftKey(ask) + "/" }
func draftPartKey(ask, digest string) Key { return draftParts(ask) + Key(digest) }

// splitKey is the key of how a person divided their screen.
func splitKey(by string) Key { return splitKeys + Key(hashed(by)) }

func chunkKey(digest string) Key { return chunkKeys + Key(digest) }

// hashed turns any text into a part of a key.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// ShowClaims is the prefix of all claims of the panes that show the ask.
func ShowClaims(askID string) Key { return showClaims + Key(hashed(askID)) + "/" }

// ShowClaim is the claim of one pane that shows the ask. Owner is any text that
// no other pane uses.
func ShowClaim(askID, owner string) Key { return ShowClaims(askID) + Key(hashed(owner)) }

// PlaceClaim is the claim of the pane that serves the place's queue.
func PlaceClaim(place string) Key { return claimKeys + "place/" + Key(hashed(place)) }

// WaitClaims is the prefix of all claims of those who wait for the ask.
func WaitClaims(askID string) Key { return waitClaims + Key(hashed(askID)) + "/" }

// WaitClaim is the claim of one who waits for the ask. Owner is any text that
// no other waiter uses.
func WaitClaim(askID, owner string) Key { return WaitClaims(askID) + Key(hashed(owner)) }

// AskerClaims is the prefix of all claims of those who asked the ask and will learn
// its outcome, though they need not wait for it now.
func AskerClaims(askID string) Key { return askerClaims + Key(hashed(askID)) + "/" }

// AskerClaim is the claim of one who asked the ask. Owner is any text that no other
// one uses.
func AskerClaim(askID, owner string) Key { return AskerClaims(askID) + Key(hashed(owner)) }
