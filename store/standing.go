package store

import (
	"context"
	"errors"
	"strings"

	"planb/store/kv"
)

// Standing is which asks are waited for and which are shown, at one moment.
type Standing struct {
	waits, shows map[string][]Claim // by the hash of the ask's id
}

// Waited reports whether anybody waits for the ask's outcome.
func (s Standing) Waited(askID string) bool { return len(s.waits[hashed(askID)]) > 0 }

// Shown returns the claims of the panes that show the ask.
func (s Standing) Shown(askID string) []Claim { return s.shows[hashed(askID)] }

// Standing reads the live claims on all asks at once; see Alive for who lives. It
// costs one read of the engine (for each 1000 claims), where to ask for each ask
// by itself would cost one each. A claim that cannot be read is left out: the
// rest is returned with an error that AboutOneRecord knows.
func (s *Store) Standing(ctx context.Context) (Standing, error) {
	st := Standing{waits: map[string][]Claim{}, shows: map[string][]Claim{}}
	var errs []error
	for _, family := range []struct {
		prefix kv.Key
		into   map[string][]Claim
	}{{waitClaims, st.waits}, {showClaims, st.shows}} {
		records, err := s.scanEach(ctx, family.prefix)
		if err != nil {
			return Standing{}, err
		}
		for _, r := range records {
			claim, err := decodeFound[claimRecord](s, r)
			if err != nil {
				if _, one := aboutOne(err); !one {
					return Standing{}, err
				}
				errs = append(errs, err)
				continue
			}
			if s.alive(r.Key, claim.Claim) {
				ask, _, _ := strings.Cut(string(r.Key[len(family.prefix):]), "/")
				family.into[ask] = append(family.into[ask], claim.Claim)
			}
		}
	}
	return st, errors.Join(errs...)
}
