package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

const (
	// importRoom is how many writes a commit of an import may have before another ask is
	// added.
	importRoom = 50
	// maxImportParts bounds the chunks of one ask, and of all asks of a commit: the commit
	// checks them all.
	maxImportParts = 80
)

// errNextCommit says that the commit has no room for another ask.
var errNextCommit = errors.New("the next commit takes this ask")

// asks adds the asks that the store lacks, with each commit as many as fit.
func (im *importing) asks(ctx context.Context) error {
	for rest := im.in.Asks; len(rest) > 0; {
		taken, added := 0, 0
		var kept []string
		err := im.commit(ctx, func(c *ledger.Change) error {
			taken, added, kept = 0, 0, nil
			r, owner, err := im.owner(ctx)
			if err != nil {
				return err
			}
			for taken < len(rest) && (taken == 0 || taken < kv.MaxBatchWrites && len(c.Puts) < importRoom && c.Size() < ledger.MaxChunk/2) {
				isNew, why, err := im.ask(ctx, c, owner.Session, rest[taken])
				if errors.Is(err, errNextCommit) {
					break
				}
				if err != nil {
					return err
				}
				taken++
				if isNew {
					added++
				}
				if why != "" {
					kept = append(kept, why)
				}
			}
			if len(c.Puts) == 0 {
				return nil
			}
			return im.grow(c, r, owner, owner.Asks+added, owner.Plans)
		})
		if err != nil {
			return err
		}
		im.done.Asks += added
		im.done.Kept = append(im.done.Kept, kept...)
		rest = rest[taken:]
	}
	return nil
}

// ask adds one ask to the commit and reports whether it is new. If there is an ask of that
// id already, why says how it differs.
func (im *importing) ask(ctx context.Context, c *ledger.Change, owner Session, ask Ask) (isNew bool, why string, err error) {
	records, err := im.s.ledger.GetEach(ctx, askKey(ask.ID))
	if err != nil {
		return false, "", err
	}
	if r := records[0]; r.Err != nil || r.Exists() {
		if r.Op == c.Op {
			return true, "", nil // an earlier try happened
		}
		why, err := im.differs(ctx, r, ask)
		return false, why, err
	}
	record := askRecord{Header: ledger.NewHeader(), Ask: ask, Title: ask.Spec.Title}
	spec, err := ledger.NewBlob("form", ask.Spec.Canonical())
	if err != nil {
		return false, "", err
	}
	record.Spec = spec.Ref
	blobs := []*ledger.Blob{spec}
	keep := func(outcome questions.Outcome) (outcomeRecord, error) {
		kept, body, err := newOutcome(outcome, c.Op)
		if body != nil {
			blobs = append(blobs, body)
		}
		return kept, err
	}
	if record.Outcome, err = keep(ask.Outcome); err != nil {
		return false, "", err
	}
	// An older planb kept any number of replies that came too late, all in the ask's record.
	inRecord := max(0, len(ask.TooLate)-MaxTooLate)
	late := make([]outcomeRecord, len(ask.TooLate))
	for i, reply := range ask.TooLate {
		if late[i], err = keep(reply); err != nil {
			return false, "", err
		}
	}
	record.TooLate, late = late[:inRecord], late[inRecord:]
	record.Lates = len(late)
	parts := 0
	for _, b := range blobs {
		parts += len(b.Ref.Chunks())
	}
	if parts > maxImportParts {
		return false, fmt.Sprintf("ask %s was left out: its texts are %d pieces of %d bytes, at most %d are taken", ask.ID, parts, ledger.MaxChunk, maxImportParts), nil
	}
	if im.dry {
		return true, "", nil
	}
	if len(c.Puts) > 0 && len(c.Checks)+parts > maxImportParts {
		return false, "", errNextCommit
	}
	for i, reply := range late {
		if err := c.Put(lateKey(ask.ID, i+1), tooLateRecord{ledger.NewHeader(), ask.Session, reply}); err != nil {
			return false, "", err
		}
	}
	return true, "", im.write(ctx, c, owner, records[0].Record, record, blobs)
}

func (im *importing) write(ctx context.Context, c *ledger.Change, owner Session, r kv.Record, record askRecord, blobs []*ledger.Blob) error {
	c.Check(r)
	if err := memorize(c, im.s.belonging(owner), record.Ask); err != nil {
		return err
	}
	if err := c.Put(askKey(record.ID), record); err != nil {
		return err
	}
	if err := putIndexes(c, record.ask(nil), im.s.belonging(owner)); err != nil {
		return err
	}
	return im.s.ledger.Keep(ctx, c, blobs...)
}

// differs says how the ask in the store differs from the ask in the import. It is empty if
// they are the same.
func (im *importing) differs(ctx context.Context, r ledger.Found, ask Ask) (string, error) {
	there, err := im.s.askOf(ctx, r, false)
	if ledger.AboutOne(err) {
		return fmt.Sprintf("ask %s is there and cannot be read (%v); it stays as it is", ask.ID, ledger.Cause(err)), nil
	}
	if err != nil {
		return "", err
	}
	switch {
	case there.Session != im.id:
		return fmt.Sprintf("ask %s is there as part of another session, %s; it stays there", ask.ID, there.Session), nil
	case there.Digest != ask.Digest:
		return fmt.Sprintf("ask %s is there with another form; it stays as it is", ask.ID), nil
	case there.Outcome.State == ask.Outcome.State && !sameOutcome(there.Outcome, ask.Outcome):
		return fmt.Sprintf("ask %s is there as %s, and in the import as %s with other words; it stays as it is", ask.ID, there.Outcome.State, ask.Outcome.State), nil
	case !sameOutcome(there.Outcome, ask.Outcome):
		return fmt.Sprintf("ask %s is there as %s, and in the import as %s; it stays as it is", ask.ID, there.Outcome.State, ask.Outcome.State), nil
	case !slices.EqualFunc(there.TooLate, ask.TooLate, sameOutcome):
		return fmt.Sprintf("ask %s is there with other late words; it stays as it is", ask.ID), nil
	}
	return "", nil
}

// plans adds the versions that are not there.
func (im *importing) plans(ctx context.Context) error {
	for i := range im.in.Plans {
		plan := im.in.Plans[i]
		text, err := ledger.NewBlob("plan", []byte(plan.Text.Raw()))
		if err != nil {
			return err
		}
		added, why := false, ""
		err = im.commit(ctx, func(c *ledger.Change) error {
			added, why = false, ""
			r, owner, err := im.owner(ctx)
			if err != nil {
				return err
			}
			if owner.Plans >= plan.Number {
				why, err = im.samePlan(ctx, c, plan)
				added = err == nil && why == writtenNow
				return err
			}
			added = true
			if im.dry {
				return nil
			}
			if err := im.grow(c, r, owner, owner.Asks, plan.Number); err != nil {
				return err
			}
			key := planKey(im.id, plan.Number)
			c.Check(kv.Record{Key: key})
			if err := c.Put(key, planRecord{ledger.NewHeader(), plan.Plan, text.Ref}); err != nil {
				return err
			}
			return im.s.ledger.Keep(ctx, c, text)
		})
		if err != nil {
			return err
		}
		if added {
			im.done.Plans++
		} else if why != "" {
			im.done.Kept = append(im.done.Kept, why)
		}
	}
	return nil
}

// writtenNow says that an earlier try of this commit wrote the version.
const writtenNow = "written now"

// samePlan says how the version in the store differs from the version in the import. It is
// empty if they are the same.
func (im *importing) samePlan(ctx context.Context, c *ledger.Change, plan WholePlan) (string, error) {
	records, err := im.s.ledger.GetEach(ctx, planKey(im.id, plan.Number))
	if err != nil {
		return "", err
	}
	r := records[0]
	if r.Err == nil && r.Op == c.Op {
		return writtenNow, nil
	}
	there, err := im.s.planOf(r)
	if err != nil {
		return "", err
	}
	switch {
	case there.Err != nil:
		return fmt.Sprintf("plan version %d is there and cannot be read (%v); it stays as it is", plan.Number, ledger.Cause(there.Err)), nil
	case there.Digest != plan.Digest || there.Title != plan.Title || there.Name != plan.Name:
		return fmt.Sprintf("plan version %d is there with another text, title or name; it stays as it is", plan.Number), nil
	}
	return "", nil
}
