package store

import (
	"testing"
	"time"

	"planb/store/kv"
)

// Format is the format that this code writes.
const Format = format

// MaxInline is the length from which a reply is kept beside its ask's record.
const MaxInline = maxInline

// MaxChunk is how much text one chunk holds.
const MaxChunk = maxChunk

// Keys that tests damage or read behind the Store's back.
var (
	SessionKey = sessionKey
	AskKey     = askKey
	EntryKey   = entryKey
	LateKey    = lateKey
	PlanKey    = planKey
	QueueKey   = queueKey
	SameKey    = sameKey
	ChunkKey   = chunkKey
	FileKey    = fileKey
	SplitKey   = splitKey
	PopupKey   = popupKey
)

// FormatKey and the prefixes of whole families.
const (
	FormatKey  = formatKey
	ChunkKeys  = chunkKeys
	EntryKeys  = entryKeys
	LateKeys   = lateKeys
	OpenKeys   = openKeys
	ClaimKeys  = claimKeys
	ChangeKeys = changedKeys
	MemoryKeys = memoryKeys
	PopupKeys  = popupKeys
)

// ClaimRecord is a claim as it is kept.
func ClaimRecord(c Claim) any { return claimRecord{header{V: format}, c} }

// ThisProcess returns the part of a claim that tells who this process is.
func (s *Store) ThisProcess() Claim {
	p := s.self()
	return Claim{PID: p.pid, Start: p.start, Boot: p.boot, Host: p.host}
}

// SetClock replaces the clock on which the store observes claims, and returns a
// function that moves it on.
func (s *Store) SetClock(t testing.TB) func(time.Duration) {
	t.Helper()
	var now time.Duration
	s.mono = func() time.Duration { return now }
	return func(d time.Duration) { now += d }
}

// Renewing reports whether the store renews claims in the background.
func (s *Store) Renewing() bool {
	s.holder.mu.Lock()
	defer s.holder.mu.Unlock()
	return s.holder.end != nil
}

// Engine returns what the store is built on.
func (s *Store) Engine() kv.Engine { return s.engine }
