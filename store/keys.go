package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"planb/store/kv"
)

// The families of keys; doc.go says what each holds. A family's name and the
// order of a key's parts are part of the format.
const (
	formatKey   kv.Key = "format"
	goneKey     kv.Key = "gone"
	adoptedKey  kv.Key = "adopted"
	sessionKeys kv.Key = "s/"
	changedKeys kv.Key = "t/"
	planKeys    kv.Key = "p/"
	fileKeys    kv.Key = "n/"
	askKeys     kv.Key = "a/"
	partOfKeys  kv.Key = "sa/"
	openKeys    kv.Key = "o/"
	undelivered kv.Key = "u/"
	shortKeys   kv.Key = "i/"
	sameKeys    kv.Key = "e/"
	digestKeys  kv.Key = "g/"
	queueKeys   kv.Key = "q/"
	lateKeys    kv.Key = "w/"
	popupKeys   kv.Key = "b/"
	entryKeys   kv.Key = "d/"
	chunkKeys   kv.Key = "x/"
	splitKeys   kv.Key = "l/"
	claimKeys   kv.Key = "k/"
	memoryKeys  kv.Key = "m/"
	showClaims  kv.Key = claimKeys + "show/"
	waitClaims  kv.Key = claimKeys + "wait/"
	askerClaims kv.Key = claimKeys + "asker/"
)

func sessionKey(id string) kv.Key { return sessionKeys + kv.Key(id) }

// changedKey sorts the later of two times first.
func changedKey(updated time.Time, session string) kv.Key {
	return changedKeys + kv.Key(fmt.Sprintf("%016x/%s", uint64(math.MaxInt64-updated.UnixNano()), session))
}

// changedAt is the time in such a key; zero if it has none.
func changedAt(key kv.Key) time.Time {
	inverted, _, _ := strings.Cut(string(key[len(changedKeys):]), "/")
	n, err := strconv.ParseUint(inverted, 16, 64)
	if err != nil || n > math.MaxInt64 {
		return time.Time{}
	}
	return time.Unix(0, math.MaxInt64-int64(n)).UTC()
}

func plansOf(session string) kv.Key { return planKeys + kv.Key(session) + "/" }

func planKey(session string, number int) kv.Key {
	return plansOf(session) + kv.Key(fmt.Sprintf("%08d", number))
}

// fileKey is the key of a plan file, by its path on a machine.
func fileKey(machine, path string) kv.Key {
	if machine != "" {
		path = machine + " " + path
	}
	return fileKeys + kv.Key(hashed(path))
}

func askKey(id string) kv.Key { return askKeys + kv.Key(id) }

func asksOf(session string) kv.Key            { return partOfKeys + kv.Key(session) + "/" }
func partOfKey(session, ask string) kv.Key    { return asksOf(session) + kv.Key(ask) }
func openOf(session string) kv.Key            { return openKeys + kv.Key(session) + "/" }
func openKey(session, ask string) kv.Key      { return openOf(session) + kv.Key(ask) }
func undeliveredOf(session string) kv.Key     { return undelivered + kv.Key(session) + "/" }
func undeliveredKey(session, a string) kv.Key { return undeliveredOf(session) + kv.Key(a) }

// sessionIn is the session in the key of an index of asks.
func sessionIn(key kv.Key) string {
	parts := strings.Split(string(key), "/")
	return parts[max(len(parts)-2, 0)]
}

func shortKey(ask string) kv.Key { return shortKeys + kv.Key(ShortID(ask)) + "/" + kv.Key(ask) }

func sameKey(session, digest string) kv.Key { return sameKeys + kv.Key(session) + "/" + kv.Key(digest) }

func digestOf(digest string) kv.Key       { return digestKeys + kv.Key(digest) + "/" }
func digestKey(digest, ask string) kv.Key { return digestOf(digest) + kv.Key(ask) }

func queueKey(place string) kv.Key { return queueKeys + kv.Key(hashed(place)) }

func lateOf(ask string) kv.Key { return lateKeys + kv.Key(ask) + "/" }
func lateKey(ask string, number int) kv.Key {
	return lateOf(ask) + kv.Key(fmt.Sprintf("%02d", number))
}

// popupKey is what is remembered of the panes that come up by themselves at a place.
func popupKey(place string) kv.Key { return popupKeys + kv.Key(hashed(place)) }

func entryKey(ask string) kv.Key             { return entryKeys + kv.Key(ask) }
func entryParts(ask string) kv.Key           { return entryKey(ask) + "/" }
func entryPartKey(ask, digest string) kv.Key { return entryParts(ask) + kv.Key(digest) }

// splitKey is the key of how a person divided their screen.
func splitKey(by string) kv.Key { return splitKeys + kv.Key(hashed(by)) }

func chunkKey(digest string) kv.Key { return chunkKeys + kv.Key(digest) }

// hashed turns any text into a part of a key.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// ShowClaims is the prefix of all claims of the panes that show the ask.
func ShowClaims(askID string) kv.Key { return showClaims + kv.Key(hashed(askID)) + "/" }

// ShowClaim is the claim of one pane that shows the ask. Owner is any text that
// no other pane uses.
func ShowClaim(askID, owner string) kv.Key { return ShowClaims(askID) + kv.Key(hashed(owner)) }

// PlaceClaim is the claim of the pane that serves the place's queue.
func PlaceClaim(place string) kv.Key { return claimKeys + "place/" + kv.Key(hashed(place)) }

// WaitClaims is the prefix of all claims of those who wait for the ask.
func WaitClaims(askID string) kv.Key { return waitClaims + kv.Key(hashed(askID)) + "/" }

// WaitClaim is the claim of one who waits for the ask. Owner is any text that
// no other waiter uses.
func WaitClaim(askID, owner string) kv.Key { return WaitClaims(askID) + kv.Key(hashed(owner)) }

// AskerClaims is the prefix of all claims of those who asked the ask and will learn
// its outcome, though they need not wait for it now.
func AskerClaims(askID string) kv.Key { return askerClaims + kv.Key(hashed(askID)) + "/" }

// AskerClaim is the claim of one who asked the ask. Owner is any text that no other
// one uses.
func AskerClaim(askID, owner string) kv.Key { return AskerClaims(askID) + kv.Key(hashed(owner)) }
