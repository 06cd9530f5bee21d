package store

import (
	"context"
	"strconv"

	"planb/store/kv"
	"planb/store/ledger"
)

func (a *auditing) readPlans(ctx context.Context) error {
	return a.s.ledger.Each(ctx, planKeys, func(r ledger.Found) error {
		owner := ledger.Parent(r.Key)
		if a.gone[owner] {
			return nil
		}
		a.Plans++
		session := a.sessions[owner]
		if session == nil {
			a.problem("the plan version %s is part of a session that is missing", r.Key)
		} else {
			a.number(r.Key, owner, session)
		}
		record, err := ledger.DecodeFound[planRecord](a.s.ledger, r)
		if ledger.AboutOne(err) {
			a.unreadable(r.Key, err)
			return nil
		}
		if err != nil {
			return err
		}
		if planKey(record.Session, record.Number) != r.Key {
			a.problem("the record %s is that of another plan version, %s", r.Key, planKey(record.Session, record.Number))
		}
		a.text("the text of plan "+string(r.Key), record.Text)
		return nil
	})
}

// number finds the gaps between a session's versions, which come in order.
func (a *auditing) number(key kv.Key, owner string, session *auditedSession) {
	number, err := strconv.Atoi(ledger.LastPart(key))
	if err != nil {
		a.problem("the plan version %s has no number", key)
		return
	}
	switch missing := session.plans + 1; {
	case number == missing+1:
		a.problem("the plan version %d of session %s is missing", missing, owner)
	case number > missing:
		a.problem("the plan versions %d to %d of session %s are missing", missing, number-1, owner)
	}
	session.plans = number
}

// readFiles checks that each plan file points to a version that is there and has the
// file's text.
func (a *auditing) readFiles(ctx context.Context) error {
	return a.each(ctx, fileKeys, func(r kv.Record) error {
		file, err := ledger.Decode[fileRecord](a.s.ledger, r)
		if err != nil || a.gone[file.Session] {
			return err
		}
		if fileKey(file.Machine, file.Path) != r.Key {
			a.problem("the entry %s is that of another plan file", r.Key)
		}
		records, err := a.s.ledger.GetEach(ctx, planKey(file.Session, file.Number))
		if err != nil {
			return err
		}
		plan, err := ledger.DecodeFound[planRecord](a.s.ledger, records[0])
		switch {
		case records[0].Err == nil && !records[0].Exists():
			a.problem("the entry %s points to a plan version that is missing", r.Key)
		case err == nil && plan.Digest != file.Digest:
			a.problem("the entry %s contradicts the record of its plan version", r.Key)
		}
		return nil // readPlans told of a version that cannot be read
	})
}

// readLate checks the replies that came after their asks' outcomes.
func (a *auditing) readLate(ctx context.Context) error {
	return a.s.ledger.Each(ctx, lateKeys, func(r ledger.Found) error {
		id := ledger.Parent(r.Key)
		ask, ok := a.asks[id]
		if ask.gone {
			return nil
		}
		if !ok {
			a.problem("the late reply %s belongs to an ask that is missing", r.Key)
		}
		if ask.lateKeys++; ok {
			a.asks[id] = ask
		}
		record, err := ledger.DecodeFound[tooLateRecord](a.s.ledger, r)
		if ledger.AboutOne(err) {
			a.unreadable(r.Key, err)
			return nil
		}
		if err != nil {
			return err
		}
		if ask.readable && record.Session != ask.session {
			a.problem("the late reply %s is that of another session, %s", r.Key, record.Session)
		}
		if record.Body != nil {
			a.text("the late reply "+string(r.Key), *record.Body)
		}
		return nil
	})
}

// readEntries checks the entries. The key of an entry sorts before those of its chunks.
func (a *auditing) readEntries(ctx context.Context) error {
	var entry entered
	err := a.s.ledger.Each(ctx, entryKeys, func(r ledger.Found) error {
		if ledger.Parent(r.Key) != "d" {
			return a.entryPart(&entry, r)
		}
		a.endEntry(&entry)
		ask, ok := a.asks[ledger.LastPart(r.Key)]
		entry = entered{key: r.Key, unreadable: ask.gone, parts: map[string]bool{}}
		if ask.gone {
			return nil
		}
		a.Entries++
		if !ok {
			a.problem("the entry %s belongs to an ask that is missing", r.Key)
		}
		record, err := ledger.DecodeFound[entryRecord](a.s.ledger, r)
		if ledger.AboutOne(err) {
			a.unreadable(r.Key, err)
			entry.unreadable = true
			return nil
		}
		if err != nil {
			return err
		}
		if record.Body != nil {
			entry.size = record.Body.Size
		}
		for _, part := range record.parts() {
			entry.parts[part] = true
			entry.repeated = append(entry.repeated, part)
		}
		return nil
	})
	a.endEntry(&entry)
	return err
}

// entered is an entry whose chunks are being read.
type entered struct {
	key        kv.Key
	unreadable bool            // or its session was pruned
	parts      map[string]bool // by the digests it refers to: whether the chunk is still missing
	repeated   []string        // the digests in the order of the text, in which one may come twice
	lengths    map[string]int
	size       int
}

func (a *auditing) entryPart(entry *entered, r ledger.Found) error {
	a.Chunks++
	part := ledger.LastPart(r.Key)
	_, wanted := entry.parts[part]
	if entry.key+"/"+kv.Key(part) != r.Key || !wanted {
		// An entry that cannot be read may be made of any of its chunks.
		if entry.key+"/"+kv.Key(part) != r.Key || !entry.unreadable {
			a.OrphanChunks++
			a.OrphanBytes += int64(len(r.Value))
		}
		return nil
	}
	entry.parts[part] = false
	text, err := a.s.ledger.Chunk(r)
	if ledger.AboutOne(err) {
		a.problem("the entry %s is damaged: its chunk %s can't be read (%v)", entry.key, r.Key, ledger.Cause(err))
		entry.unreadable = true
		return nil
	}
	if entry.lengths == nil {
		entry.lengths = map[string]int{}
	}
	entry.lengths[part] = len(text)
	return err
}

// endEntry checks that all chunks of an entry were there.
func (a *auditing) endEntry(entry *entered) {
	if entry.unreadable {
		return
	}
	size := 0
	for _, part := range entry.repeated {
		if entry.parts[part] {
			a.problem("the entry %s is damaged: its chunk %s is missing", entry.key, part)
			return
		}
		size += entry.lengths[part]
	}
	if size != entry.size {
		a.problem("the entry %s is damaged: it has %d bytes, and %d were written", entry.key, size, entry.size)
	}
}

// readMemory checks that the index of answers can be read. An index entry without an ask
// is no problem: the ask could not be read when it was removed.
func (a *auditing) readMemory(ctx context.Context) error {
	return a.each(ctx, memoryKeys, func(kv.Record) error { return nil })
}

func (a *auditing) readAdopted(ctx context.Context) error {
	return a.each(ctx, adoptedKey, func(r kv.Record) error {
		_, err := ledger.Decode[adoptedRecord](a.s.ledger, r)
		return err
	})
}

func (a *auditing) readClaims(ctx context.Context) error {
	return a.each(ctx, ledger.ClaimKeys, func(r kv.Record) error {
		a.Claims++
		_, err := ledger.Decode[Claim](a.s.ledger, r)
		return err
	})
}

func (a *auditing) readPopups(ctx context.Context) error {
	return a.each(ctx, popupKeys, func(r kv.Record) error {
		popups, err := ledger.Decode[popupRecord](a.s.ledger, r)
		if err == nil && r.Key != popupKey(popups.Place) {
			a.problem("the panes %s are those of another place", r.Key)
		}
		if n := len(popups.Agents); n > maxPutOffAgents {
			a.problem("the panes %s put off %d agents, more than %d", r.Key, n, maxPutOffAgents)
		}
		return err
	})
}
