package store

import (
	"context"
	"fmt"
	"strings"
)

// raise has a store of an older format be one of this code's from now on, when
// this code is about to write. Processes that know only the older one would be
// shut out in mid-question, so there must be none; and since there is no way
// back, a copy is kept first. Records are rewritten as they come along: what
// code of this format reads, it reads in every format before.
func (s *Store) raise(ctx context.Context, r Record, from int) error {
	older, err := s.olderProcesses(ctx)
	if err != nil {
		return err
	}
	if len(older) > 0 {
		return fmt.Errorf("the store in %s is of format %d, and this planb would make it format %d; but an older planb, which knows no other, is at work with it: %s. End it, or go on with the older planb",
			s.dataDir, from, format, strings.Join(older, ", "))
	}
	if s.backup != nil {
		if err := s.backup(ctx); err != nil {
			return fmt.Errorf("the store in %s stays of format %d, because no copy could be kept of it: %w", s.dataDir, from, err)
		}
	}
	o, err := s.object(r)
	if err != nil {
		return err
	}
	if err := o.set("v", format); err != nil {
		return err
	}
	value, err := encode(o)
	if err != nil {
		return err
	}
	return s.engine.Commit(ctx, Batch{Op: s.newOp(), Checks: []Check{{Key: r.Key, Rev: r.Rev}}, Puts: []Put{{Key: r.Key, Value: value}}})
}

// olderProcesses names the living processes whose claims are of an older format.
func (s *Store) olderProcesses(ctx context.Context) ([]string, error) {
	claims, err := s.scanEach(ctx, claimKeys)
	if err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]bool{}
	for _, r := range claims {
		claim, err := decodeFound[claimRecord](s, r)
		if _, one := aboutOne(err); one {
			continue // nobody renews what nobody can read
		}
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("process %d on %s", claim.PID, claim.Host)
		if claim.V < format && !seen[name] && s.alive(r.Key, claim.Claim) {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names, nil
}
