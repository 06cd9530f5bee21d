package store

import (
	"context"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// entry looks at an index's entry of one ask. Agrees says whether the ask is what
// the entry says.
func (a *auditing) entry(r Record, in index, agrees func(id string, ask auditedAsk) bool) {
	id := lastPart(r.Key)
	ask, ok := a.asks[id]
	switch {
	case !ok:
		a.problem("the entry %s points to an ask that is missing", r.Key)
	case ask.readable && !agrees(id, ask):
		a.problem("the entry %s contradicts the record of its ask", r.Key)
	}
	if ok {
		ask.seen |= in
		a.asks[id] = ask
	}
}

func (a *auditing) readChanged(ctx context.Context) error {
	return a.each(ctx, changedKeys, func(r Record) error {
		session := a.sessions[lastPart(r.Key)]
		switch {
		case session == nil:
			a.problem("the entry %s points to a session that is missing", r.Key)
		case !session.readable:
			session.listed = true
		case r.Key == changedKey(session.Updated, lastPart(r.Key)):
			session.listed = true
		default:
			a.problem("the entry %s contradicts the record of its session, which says another time", r.Key)
		}
		return nil
	})
}

func (a *auditing) readParts(ctx context.Context) error {
	return a.eachOfSession(ctx, partOfKeys, func(r Record) error {
		if session := a.sessions[sessionIn(r.Key)]; session != nil {
			session.asks++
		}
		a.entry(r, inParts, func(id string, ask auditedAsk) bool { return r.Key == partOfKey(ask.session, id) })
		return nil
	})
}

func (a *auditing) readOpen(ctx context.Context) error {
	return a.eachOfSession(ctx, openKeys, func(r Record) error {
		a.entry(r, inOpen, func(id string, ask auditedAsk) bool { return ask.open && r.Key == openKey(ask.session, id) })
		return nil
	})
}

func (a *auditing) readUndelivered(ctx context.Context) error {
	return a.eachOfSession(ctx, undelivered, func(r Record) error {
		entry, err := decode[indexRecord](a.s, r)
		if err != nil {
			return err
		}
		a.entry(r, inUndelivered, func(id string, ask auditedAsk) bool {
			return ask.undelivered && entry.Session == ask.session && r.Key == undeliveredKey(ask.session, id)
		})
		return nil
	})
}

func (a *auditing) readShort(ctx context.Context) error {
	return a.each(ctx, shortKeys, func(r Record) error {
		a.entry(r, inShort, func(id string, _ auditedAsk) bool { return r.Key == shortKey(id) })
		return nil
	})
}

func (a *auditing) readDigests(ctx context.Context) error {
	return a.each(ctx, digestKeys, func(r Record) error {
		entry, err := decode[indexRecord](a.s, r)
		if err != nil {
			return err
		}
		a.entry(r, inDigests, func(id string, ask auditedAsk) bool {
			return entry.Session == ask.session && r.Key == digestKey(ask.form(), id)
		})
		return nil
	})
}

// form is the digest of the ask's spec.
func (ask auditedAsk) form() string { return hex.EncodeToString(ask.digest[:]) }

func (a *auditing) readSame(ctx context.Context) error {
	return a.eachOfSession(ctx, sameKeys, func(r Record) error {
		entry, err := decode[sameRecord](a.s, r)
		if err != nil {
			return err
		}
		ask, ok := a.asks[entry.Ask]
		switch {
		case !ok:
			a.problem("the entry %s points to an ask that is missing", r.Key)
			return nil
		case ask.readable && !(ask.open || ask.undelivered) || ask.readable && r.Key != sameKey(ask.session, ask.form()):
			a.problem("the entry %s contradicts the record of its ask", r.Key)
		}
		ask.seen |= inSame
		a.asks[entry.Ask] = ask
		return nil
	})
}

func (a *auditing) readQueues(ctx context.Context) error {
	return a.each(ctx, queueKeys, func(r Record) error {
		queue, err := decode[queueRecord](a.s, r)
		if err != nil {
			return err
		}
		if r.Key != queueKey(queue.Place) {
			a.problem("the queue %s is that of another place", r.Key)
		}
		for _, id := range queue.Asks {
			ask, ok := a.asks[id]
			switch {
			case !ok:
				a.problem("the queue %s has the ask %s, which is missing", r.Key, id)
				continue
			case ask.readable && ask.queue != r.Key:
				a.problem("the queue %s has the ask %s, which is not open at that place", r.Key, id)
			}
			ask.seen |= inQueue
			a.asks[id] = ask
		}
		return nil
	})
}

// compare finds what the indexes lack.
func (a *auditing) compare(context.Context) error {
	for _, id := range slices.Sorted(maps.Keys(a.sessions)) {
		session := a.sessions[id]
		if !session.readable {
			continue
		}
		if !session.listed {
			a.absent(changedKey(session.Updated, id), "session "+id)
		}
		if session.Asks != session.asks {
			a.problem("the session %s says it has %d asks, but the entries under %s are %d", id, session.Asks, asksOf(id), session.asks)
		}
		if session.Plans != session.plans {
			a.problem("the session %s says it has %d plan versions, but the last one is %d", id, session.Plans, session.plans)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.asks)) {
		ask := a.asks[id]
		if !ask.readable {
			continue
		}
		if ask.lates != ask.lateKeys {
			a.problem("the ask %s counts %d of its late replies under %s, but there are %d", id, ask.lates, lateOf(id), ask.lateKeys)
		}
		for _, want := range []struct {
			in   index
			when bool
			key  func() Key
		}{
			{inParts, true, func() Key { return partOfKey(ask.session, id) }},
			{inShort, true, func() Key { return shortKey(id) }},
			{inDigests, true, func() Key { return digestKey(ask.form(), id) }},
			{inOpen, ask.open, func() Key { return openKey(ask.session, id) }},
			{inUndelivered, ask.undelivered, func() Key { return undeliveredKey(ask.session, id) }},
			{inSame, ask.open || ask.undelivered, func() Key { return sameKey(ask.session, ask.form()) }},
			{inQueue, ask.queue != "", func() Key { return ask.queue }},
		} {
			if want.when && ask.seen&want.in == 0 {
				a.absent(want.key(), "ask "+id)
			}
		}
	}
	return nil
}

// absent tells of an index that lacks something, unless its entry is there and
// cannot be read, which was told.
func (a *auditing) absent(key Key, whose string) {
	if a.unread[key] {
		return
	}
	if strings.HasPrefix(string(key), string(queueKeys)) {
		a.problem("the queue %s lacks the %s", key, whose)
		return
	}
	a.problem("the entry %s of the %s is missing", key, whose)
}
