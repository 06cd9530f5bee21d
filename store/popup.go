package store

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Panes that come up by themselves must stay welcome.
const (
	// PutOffTime is how long none comes up at a place where the person closed
	// one, or put off what it showed.
	PutOffTime = 10 * time.Minute
	// No more than maxPanes come up at a place within panesTime.
	maxPanes  = 6
	panesTime = time.Minute
)

// The reasons for which no pane may come up by itself at a place now.
var (
	ErrPutOff       = errors.New("the user put off what waits here")
	ErrTooManyPanes = errors.New("too many panes came up here within a minute")
)

// popupRecord is what is remembered of the panes that come up by themselves at a
// place. It is worth nothing once all its times are past.
type popupRecord struct {
	header
	Place  string      `json:"place"`
	PutOff time.Time   `json:"putOff,omitzero"` // until when none may come up
	Opened []time.Time `json:"opened,omitempty"`
}

// restrict leaves the times that still matter. One that is further ahead than it
// can have been set comes from a clock that was put back since.
func (p *popupRecord) restrict(now time.Time) {
	if left := p.PutOff.Sub(now); left <= 0 || left > PutOffTime {
		p.PutOff = time.Time{}
	}
	p.Opened = slices.DeleteFunc(p.Opened, func(at time.Time) bool {
		age := now.Sub(at)
		return age < 0 || age >= panesTime
	})
}

func (p *popupRecord) stale() bool { return p.PutOff.IsZero() && len(p.Opened) == 0 }

// AllowPane notes that a pane is about to come up by itself at the place, over
// all servers that open panes there. It is refused with ErrPutOff or
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

// PutOff notes that the person wants no pane to come up by itself at the place
// for PutOffTime. What waits there can be answered all the while.
func (s *Store) PutOff(ctx context.Context, place string) error {
	return s.changePopups(ctx, place, func(p *popupRecord, now time.Time) error {
		p.PutOff = now.Add(PutOffTime)
		return nil
	})
}

// EndPutOff takes PutOff back: the person has turned to the place by themselves.
func (s *Store) EndPutOff(ctx context.Context, place string) error {
	if off, err := s.IsPutOff(ctx, place); !off {
		return err
	}
	return s.changePopups(ctx, place, func(p *popupRecord, _ time.Time) error {
		p.PutOff = time.Time{}
		return nil
	})
}

// IsPutOff reports whether PutOff holds at the place.
func (s *Store) IsPutOff(ctx context.Context, place string) (bool, error) {
	records, err := s.get(ctx, popupKey(place))
	if err != nil || !records[0].Exists() {
		return false, err
	}
	popups, err := decode[popupRecord](s, records[0])
	if err != nil {
		return false, err
	}
	popups.restrict(s.clock())
	return !popups.PutOff.IsZero(), nil
}

// changePopups rewrites the place's record, quietly, and takes away what is left
// of places that nobody is at any more.
func (s *Store) changePopups(ctx context.Context, place string, intend func(p *popupRecord, now time.Time) error) error {
	return s.commit(ctx, func(c *change) error {
		c.Quiet = true
		records, err := s.get(ctx, popupKey(place))
		if err != nil {
			return err
		}
		r, o, popups := records[0], object{}, popupRecord{}
		if r.Exists() {
			if popups, err = decode[popupRecord](s, r); err != nil {
				return err
			}
			if o, err = s.object(r); err != nil {
				return err
			}
		}
		now := s.clock()
		popups.restrict(now)
		if err := intend(&popups, now); err != nil {
			return err
		}
		if err := s.clearPopups(ctx, c, r.Key, now); err != nil {
			return err
		}
		c.check(r)
		if popups.stale() {
			if r.Exists() {
				c.delete(r.Key)
			}
			return nil
		}
		if err := o.set("v", format, "place", place, "putOff", popups.PutOff, "opened", popups.Opened); err != nil {
			return err
		}
		return c.put(r.Key, o)
	})
}

// clearPopups deletes records that are worth nothing, other than the one at own.
func (s *Store) clearPopups(ctx context.Context, c *change, own Key, now time.Time) error {
	page, err := s.engine.Scan(ctx, popupKeys, "", maxCleared)
	if err != nil {
		return err
	}
	for _, r := range page.Records {
		popups, err := decode[popupRecord](s, r)
		if err != nil || r.Key == own {
			continue // what cannot be read is not this code's to judge
		}
		if popups.restrict(now); popups.stale() {
			c.check(r)
			c.delete(r.Key)
		}
	}
	return nil
}
