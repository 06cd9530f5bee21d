package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"planb/store/kv"
	"planb/store/ledger"
)

func (a *auditing) readChanged(ctx context.Context) error {
	return a.each(ctx, changedKeys, func(r kv.Record) error {
		session := a.sessions[ledger.LastPart(r.Key)]
		switch {
		case session == nil:
			a.problem("the entry %s points to a session that is missing", r.Key)
		case !session.readable:
			session.listed = true
		case r.Key == changedKey(session.Updated, ledger.LastPart(r.Key)):
			session.listed = true
		default:
			a.problem("the entry %s contradicts the record of its session, which says another time", r.Key)
		}
		return nil
	})
}

// readIndexes compares every entry that leads to an ask with the ask.
func (a *auditing) readIndexes(ctx context.Context) error {
	for i, family := range askIndexes() {
		err := a.each(ctx, family, func(r kv.Record) error {
			if a.gone[ledger.Parent(r.Key)] {
				return nil
			}
			return a.entry(r, family, 1<<i)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// entry compares one entry of a family with the ask that it leads to.
func (a *auditing) entry(r kv.Record, family kv.Key, bit uint8) error {
	id, session := ledger.LastPart(r.Key), ""
	switch family {
	case sameKeys:
		same, err := ledger.Decode[sameRecord](a.s.ledger, r)
		if err != nil {
			return err
		}
		id = same.Ask
	case undelivered, digestKeys:
		of, err := ledger.Decode[indexRecord](a.s.ledger, r)
		if err != nil {
			return err
		}
		session = of.Session
	case partOfKeys:
		if owner := a.sessions[ledger.Parent(r.Key)]; owner != nil {
			owner.asks++
		}
	}
	ask, ok := a.asks[id]
	saysSession := family == undelivered || family == digestKeys
	switch {
	case !ok:
		a.problem("the entry %s points to an ask that is missing", r.Key)
		return nil
	case ask.readable && (!hasKey(ask.indexes(id), r.Key) || saysSession && session != ask.session):
		a.problem("the entry %s contradicts the record of its ask", r.Key)
	}
	ask.seen |= bit
	a.asks[id] = ask
	return nil
}

func (a *auditing) readQueues(ctx context.Context) error {
	return a.each(ctx, queueKeys, func(r kv.Record) error {
		queue, err := ledger.Decode[queueRecord](a.s.ledger, r)
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
			ask.queued = true
			a.asks[id] = ask
		}
		return nil
	})
}

// compare finds index entries that are missing.
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
		for _, e := range ask.indexes(id) {
			family := slices.IndexFunc(askIndexes(), func(family kv.Key) bool { return strings.HasPrefix(string(e.key), string(family)) })
			if ask.seen&(1<<family) == 0 {
				a.absent(e.key, "ask "+id)
			}
		}
		if ask.queue != "" && !ask.queued {
			a.absent(ask.queue, "ask "+id)
		}
	}
	return nil
}

// absent reports a missing index entry. It does not report an entry that exists but
// cannot be read, because an earlier pass reported it.
func (a *auditing) absent(key kv.Key, whose string) {
	if a.unread[key] {
		return
	}
	if strings.HasPrefix(string(key), string(queueKeys)) {
		a.problem("the queue %s lacks the %s", key, whose)
		return
	}
	a.problem("the entry %s of the %s is missing", key, whose)
}
