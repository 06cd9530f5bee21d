package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"planb/store/kv"
	"planb/store/ledger"
)

// Limits for panes that come up by themselves: more would be a nuisance.
const (
	// PutOffTime is how long an ask, an agent or a place stays put off. A person puts a
	// place off by closing its pane, or by putting off all that the pane showed. Until
	// the time is over no pane comes up there.
	PutOffTime = 10 * time.Minute
	// At most maxPanes panes come up at a place within panesTime.
	maxPanes  = 6
	panesTime = time.Minute
)

// The reasons for which no pane may come up by itself at a place now.
var (
	ErrPutOff       = errors.New("the user put off what waits here")
	ErrTooManyPanes = errors.New("too many panes came up here within a minute")
)

// popupRecord is what is remembered of the panes that come up by themselves at a place.
// It can go once all its times are past.
type popupRecord struct {
	ledger.Header
	Place  string        `json:"place"`
	PutOff time.Time     `json:"putOff,omitzero"` // until then no pane may come up
	Agents []putOffAgent `json:"agents,omitempty"`
	Opened []time.Time   `json:"opened,omitempty"`
}

// putOffAgent is an agent whose asks the person put off, and until when.
type putOffAgent struct {
	Client Client    `json:"client"`
	Until  time.Time `json:"until"`
}

// maxPutOffAgents bounds how many agents are put off at one place. If there are more,
// the oldest come back early.
const maxPutOffAgents = 20

// isOff reports whether something is still put off until that time. A time that is too
// far ahead does not count: it was written before the clock was set back.
func isOff(until, now time.Time) bool {
	left := until.Sub(now)
	return left > 0 && left <= PutOffTime
}

// restrict removes the times that no longer matter.
func (p *popupRecord) restrict(now time.Time) {
	if !isOff(p.PutOff, now) {
		p.PutOff = time.Time{}
	}
	p.Agents = slices.DeleteFunc(p.Agents, func(a putOffAgent) bool { return !isOff(a.Until, now) })
	p.Opened = slices.DeleteFunc(p.Opened, func(at time.Time) bool {
		age := now.Sub(at)
		return age < 0 || age >= panesTime
	})
}

func (p *popupRecord) stale() bool {
	return p.PutOff.IsZero() && len(p.Agents) == 0 && len(p.Opened) == 0
}

// welcome removes an agent from those that are put off.
func (p *popupRecord) welcome(agent Client) {
	p.Agents = slices.DeleteFunc(p.Agents, func(a putOffAgent) bool { return a.Client == agent })
}

// AllowPane notes that a pane is about to come up by itself at the place. It counts the
// panes of all servers that open panes there, and refuses one with ErrPutOff or
// ErrTooManyPanes.
func (s *Store) AllowPane(ctx context.Context, place string) error {
	return s.changePopups(ctx, place, func(p *popupRecord, now time.Time) error {
		switch {
		case !p.PutOff.IsZero():
			return ErrPutOff
		case len(p.Opened) >= maxPanes:
			return ErrTooManyPanes
		}
		p.Opened = append(p.Opened, now)
		return nil
	})
}

// NoPane takes the last AllowPane of the place back, because no pane came up.
func (s *Store) NoPane(ctx context.Context, place string) error {
	return s.changePopups(ctx, place, func(p *popupRecord, _ time.Time) error {
		p.Opened = p.Opened[:max(0, len(p.Opened)-1)]
		return nil
	})
}

// PutOff notes that the person wants no pane to come up by itself at the place for
// PutOffTime. The asks there can be answered all the while.
func (s *Store) PutOff(ctx context.Context, place string) error {
	return s.changePopups(ctx, place, func(p *popupRecord, now time.Time) error {
		p.PutOff = now.Add(PutOffTime)
		return nil
	})
}

// PutOffAgent notes that the person wants no ask of the agent to come up by itself at
// the place for PutOffTime.
func (s *Store) PutOffAgent(ctx context.Context, place string, agent Client) error {
	return s.changePopups(ctx, place, func(p *popupRecord, now time.Time) error {
		p.welcome(agent)
		p.Agents = append(p.Agents, putOffAgent{agent, now.Add(PutOffTime)})
		p.Agents = p.Agents[max(0, len(p.Agents)-maxPutOffAgents):]
		return nil
	})
}

// PutOffAsk notes that the person does not want the ask to come up by itself for
// PutOffTime, wherever it belongs. An ask that has ended stays as it is.
func (s *Store) PutOffAsk(ctx context.Context, id string) error {
	return s.changeOff(ctx, id, s.ledger.Clock().Add(PutOffTime))
}

// changeOff sets the time until which an open ask is put off; nil ends it.
func (s *Store) changeOff(ctx context.Context, id string, until any) error {
	return s.changeAsk(ctx, id, func(c *ledger.Change, r kv.Record, a askRecord) error {
		c.Quiet = true
		if a.Outcome.State.Final() {
			return nil
		}
		return s.ledger.Rewrite(c, r, "putOff", until)
	})
}

// EndPutOff lets an ask come up by itself again: the person has opened it. All other
// asks of its place and its agent may come up again, too, unless the person put one of
// them off by itself.
func (s *Store) EndPutOff(ctx context.Context, ask Ask) error {
	off, err := s.PutOffs(ctx, ask.Place)
	if err == nil && (off.Place || off.agent(ask.Client)) {
		err = s.changePopups(ctx, ask.Place, func(p *popupRecord, _ time.Time) error {
			p.PutOff = time.Time{}
			p.welcome(ask.Client)
			return nil
		})
	}
	if err != nil || !isOff(ask.PutOff, s.ledger.Clock()) {
		return err
	}
	return s.changeOff(ctx, ask.ID, nil)
}

// PutOffs is what the person put off at a place, at one moment.
type PutOffs struct {
	Place  bool // no pane may come up there
	agents []Client
	at     time.Time
}

// Has reports whether the person put off the ask, or all of its agent.
func (p PutOffs) Has(ask Ask) bool { return isOff(ask.PutOff, p.at) || p.agent(ask.Client) }

func (p PutOffs) agent(client Client) bool { return slices.Contains(p.agents, client) }

// PutOffs reads what is put off at the place.
func (s *Store) PutOffs(ctx context.Context, place string) (PutOffs, error) {
	off := PutOffs{at: s.ledger.Clock()}
	records, err := s.ledger.Get(ctx, popupKey(place))
	if err != nil || !records[0].Exists() {
		return off, err
	}
	popups, err := ledger.Decode[popupRecord](s.ledger, records[0])
	if err != nil {
		return off, err
	}
	popups.restrict(off.at)
	off.Place = !popups.PutOff.IsZero()
	for _, a := range popups.Agents {
		off.agents = append(off.agents, a.Client)
	}
	return off, nil
}

// changePopups rewrites the place's record, quietly, and deletes the records of places
// that are no longer used.
func (s *Store) changePopups(ctx context.Context, place string, intend func(p *popupRecord, now time.Time) error) error {
	return s.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.Quiet = true
		records, err := s.ledger.Get(ctx, popupKey(place))
		if err != nil {
			return err
		}
		r, o, popups := records[0], ledger.Object{}, popupRecord{}
		if r.Exists() {
			if popups, err = ledger.Decode[popupRecord](s.ledger, r); err != nil {
				return err
			}
			if o, err = s.ledger.Object(r); err != nil {
				return err
			}
		}
		now := s.ledger.Clock()
		popups.restrict(now)
		if err := intend(&popups, now); err != nil {
			return err
		}
		if err := s.clearPopups(ctx, c, r.Key, now); err != nil {
			return err
		}
		c.Check(r)
		if popups.stale() {
			if r.Exists() {
				c.Delete(r.Key)
			}
			return nil
		}
		if err := o.Set("v", ledger.Format, "place", place, "putOff", popups.PutOff, "agents", popups.Agents, "opened", popups.Opened); err != nil {
			return err
		}
		return c.Put(r.Key, o)
	})
}

// maxClearedPopups bounds how many records one commit deletes.
const maxClearedPopups = 50

// clearPopups deletes records whose times are all past, but not the one at own.
func (s *Store) clearPopups(ctx context.Context, c *ledger.Change, own kv.Key, now time.Time) error {
	page, _, err := s.ledger.Page(ctx, popupKeys, "", maxClearedPopups)
	if err != nil {
		return err
	}
	for _, r := range page {
		popups, err := ledger.DecodeFound[popupRecord](s.ledger, r)
		if err != nil || r.Key == own {
			continue // Audit tells of a record that cannot be read
		}
		if popups.restrict(now); popups.stale() {
			c.Check(r.Record)
			c.Delete(r.Key)
		}
	}
	return nil
}
