package store

import (
	"fmt"
	"strings"
	"time"

	"planb/store/kv"
	"planb/store/ledger"
)

// The families of keys; doc.go says what each holds. A family's name and the
// order of a key's parts are part of the format.
const (
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
	memoryKeys  kv.Key = "m/"
)

func sessionKey(id string) kv.Key { return sessionKeys + kv.Key(id) }

// changedKey sorts the later of two times first.
func changedKey(updated time.Time, session string) kv.Key {
	return changedKeys + ledger.Inverted(updated) + "/" + kv.Key(session)
}

// changedAt is the time in such a key; zero if it has none.
func changedAt(key kv.Key) time.Time {
	inverted, _, _ := strings.Cut(string(key[len(changedKeys):]), "/")
	return ledger.InvertedTime(inverted)
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
	return fileKeys + kv.Key(ledger.Hash(path))
}

func askKey(id string) kv.Key { return askKeys + kv.Key(id) }

func asksOf(session string) kv.Key            { return partOfKeys + kv.Key(session) + "/" }
func partOfKey(session, ask string) kv.Key    { return asksOf(session) + kv.Key(ask) }
func openOf(session string) kv.Key            { return openKeys + kv.Key(session) + "/" }
func openKey(session, ask string) kv.Key      { return openOf(session) + kv.Key(ask) }
func undeliveredOf(session string) kv.Key     { return undelivered + kv.Key(session) + "/" }
func undeliveredKey(session, a string) kv.Key { return undeliveredOf(session) + kv.Key(a) }

func shortKey(ask string) kv.Key { return shortKeys + kv.Key(ShortID(ask)) + "/" + kv.Key(ask) }

func sameKey(session, digest string) kv.Key { return sameKeys + kv.Key(session) + "/" + kv.Key(digest) }

func digestOf(digest string) kv.Key       { return digestKeys + kv.Key(digest) + "/" }
func digestKey(digest, ask string) kv.Key { return digestOf(digest) + kv.Key(ask) }

func queueKey(place string) kv.Key { return queueKeys + kv.Key(ledger.Hash(place)) }

func lateOf(ask string) kv.Key { return lateKeys + kv.Key(ask) + "/" }
func lateKey(ask string, number int) kv.Key {
	return lateOf(ask) + kv.Key(fmt.Sprintf("%02d", number))
}

// popupKey is the key of what is remembered of the panes that come up by themselves at a
// place.
func popupKey(place string) kv.Key { return popupKeys + kv.Key(ledger.Hash(place)) }

func entryKey(ask string) kv.Key             { return entryKeys + kv.Key(ask) }
func entryParts(ask string) kv.Key           { return entryKey(ask) + "/" }
func entryPartKey(ask, digest string) kv.Key { return entryParts(ask) + kv.Key(digest) }
