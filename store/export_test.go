package store

import (
	"planb/store/kv"
	"planb/store/ledger"
)

// Format is the format that this code writes.
const Format = ledger.Format

// MaxInline is the length from which a reply is kept beside its ask's record.
const MaxInline = maxInline

// MaxChunk is how much text one chunk holds.
const MaxChunk = ledger.MaxChunk

// Keys that tests damage or read behind the Store's back.
var (
	SessionKey = sessionKey
	AskKey     = askKey
	EntryKey   = entryKey
	LateKey    = lateKey
	PlanKey    = planKey
	QueueKey   = queueKey
	SameKey    = sameKey
	FileKey    = fileKey
	PopupKey   = popupKey
)

const (
	FormatKey  = ledger.FormatKey
	ChunkKeys  = ledger.ChunkKeys
	EntryKeys  = entryKeys
	LateKeys   = lateKeys
	OpenKeys   = openKeys
	ClaimKeys  = ledger.ClaimKeys
	ChangeKeys = changedKeys
	MemoryKeys = memoryKeys
	PopupKeys  = popupKeys
)

func ChunkKey(digest string) kv.Key { return ledger.ChunkKeys + kv.Key(digest) }
