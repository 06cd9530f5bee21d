package kv

import (
	"fmt"
	"strings"
)

// Limits of one call, the same for every engine; they are those of the
// smallest engine planned for (etcd's defaults).
const (
	MaxKeyBytes     = 512
	MaxBatchChecks  = 100
	MaxBatchWrites  = 100
	MaxBatchBytes   = 1 << 20 // keys and values together
	MaxPageRecords  = 1000
	MaxPageBytes    = 1 << 20
	MaxRecordsInGet = 100
	MaxGetBytes     = 4 << 20 // values together
)

// Validate reports the first thing about the key that no engine accepts: it
// must hold 1 to MaxKeyBytes bytes of printable ASCII (0x20 to 0x7E).
func (k Key) Validate() error {
	if k == "" {
		return fmt.Errorf("a key is empty; it needs 1 to %d bytes", MaxKeyBytes)
	}
	return k.validateText("key")
}

// validatePrefix is Validate for a prefix, which may be empty and then stands
// for all keys.
func (k Key) validatePrefix() error {
	return k.validateText("prefix")
}

func (k Key) validateText(what string) error {
	if len(k) > MaxKeyBytes {
		return fmt.Errorf("%s %q…: %d bytes, at most %d are allowed", what, k[:32], len(k), MaxKeyBytes)
	}
	bad := strings.IndexFunc(string(k), func(r rune) bool { return r < ' ' || r > '~' })
	if bad >= 0 {
		return fmt.Errorf("%s %q: byte %#02x at %d, only printable ASCII is allowed", what, k, k[bad], bad)
	}
	return nil
}

// ValidateGet reports the first thing that no engine accepts about a list of
// keys to read: their number is at most MaxRecordsInGet and each is valid.
func ValidateGet(keys []Key) error {
	if len(keys) > MaxRecordsInGet {
		return fmt.Errorf("%d keys in one get, at most %d are allowed", len(keys), MaxRecordsInGet)
	}
	for _, k := range keys {
		if err := k.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// ValidateScan reports the first thing that no engine accepts about the
// arguments of a scan. The limit is 1 to MaxPageRecords records.
func ValidateScan(prefix, after Key, limit int) error {
	if limit < 1 || limit > MaxPageRecords {
		return fmt.Errorf("a scan for %d records, 1 to %d are allowed", limit, MaxPageRecords)
	}
	if err := prefix.validatePrefix(); err != nil {
		return err
	}
	return after.validateText("key")
}

// Size counts the bytes MaxBatchBytes limits: every key and value of the batch.
func (b Batch) Size() int {
	n := 0
	for _, c := range b.Checks {
		n += len(c.Key)
	}
	for _, p := range b.Puts {
		n += len(p.Key) + len(p.Value)
	}
	for _, k := range b.Deletes {
		n += len(k)
	}
	return n
}

// Validate reports the first thing about the batch that no engine accepts: too
// many checks, writes or bytes, a key that is not valid, a revision below zero,
// or a key written twice (a batch has no order, so neither write would win).
func (b Batch) Validate() error {
	if n := len(b.Checks); n > MaxBatchChecks {
		return fmt.Errorf("%d checks in one commit, at most %d are allowed", n, MaxBatchChecks)
	}
	if n := len(b.Puts) + len(b.Deletes); n > MaxBatchWrites {
		return fmt.Errorf("%d writes in one commit, at most %d are allowed", n, MaxBatchWrites)
	}
	if n := b.Size(); n > MaxBatchBytes {
		return fmt.Errorf("%d bytes in one commit, at most %d are allowed", n, MaxBatchBytes)
	}
	for _, c := range b.Checks {
		if err := c.Key.Validate(); err != nil {
			return err
		}
		if c.Rev < 0 {
			return fmt.Errorf("check of %q: revision %d, it must not be negative", c.Key, c.Rev)
		}
	}
	return b.validateWrites()
}

func (b Batch) validateWrites() error {
	written := make(map[Key]struct{}, len(b.Puts)+len(b.Deletes))
	write := func(k Key) error {
		if err := k.Validate(); err != nil {
			return err
		}
		if _, twice := written[k]; twice {
			return fmt.Errorf("key %q is written twice in one commit", k)
		}
		written[k] = struct{}{}
		return nil
	}
	for _, p := range b.Puts {
		if err := write(p.Key); err != nil {
			return err
		}
	}
	for _, k := range b.Deletes {
		if err := write(k); err != nil {
			return err
		}
	}
	return nil
}
