package ask

import (
	"context"
	"errors"
	"maps"
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// RetryPause is the pause before a failed write to the store is tried again. The
// answers stay in the form meanwhile, and the person can also copy them.
const RetryPause = time.Second

// MarkShown notes that a person can see the ask now, if they can also answer it here. It
// drops an error, because the note only helps an agent to say why nobody answers.
func (h *Host) MarkShown(ask store.Ask) {
	if h.options.ReadOnly || !ask.Shown.IsZero() || !ask.Open() {
		return
	}
	ctx, cancel := h.step()
	defer cancel()
	_ = h.store.MarkShown(ctx, ask.ID)
}

// Save saves the entry of an ask's form. It waits while an outcome of the ask is being
// written. If the ask was settled here, it writes nothing and reports settled.
func (h *Host) Save(id string, entry questions.Entry) (settled bool, err error) {
	ctx, cancel := h.step()
	defer cancel()
	return h.SaveLast(ctx, id, entry)
}

// SaveLast is Save for a pane that is closing, within ctx. If another ask has taken this
// one's place, the entry becomes that ask's.
func (h *Host) SaveLast(ctx context.Context, id string, entry questions.Entry) (settled bool, err error) {
	h.writing.Lock()
	defer h.writing.Unlock()
	if h.settled[id] {
		return true, nil
	}
	err = h.keep(ctx, id, id, entry)
	won, ended := errors.AsType[*questions.SettledError](err)
	if !ended || won.Winner.Next == "" {
		return false, err
	}
	next, err := h.standing(ctx, won.Winner.Next)
	if err != nil {
		return false, err
	}
	return false, h.keep(ctx, id, next, entry)
}

// keep saves entry, which the person entered into the form of the ask from, as the entry of the
// ask id, joined with what another pane kept there. Both may be the same ask.
func (h *Host) keep(ctx context.Context, from, id string, entry questions.Entry) error {
	err := h.store.MergeEntry(ctx, id, entry, func(kept questions.Entry) questions.Entry {
		return h.joined(ctx, from, id, entry, kept)
	})
	if err == nil {
		h.Took(id, entry) // the form goes on with its own
	}
	return err
}

// joined returns own, which the person entered into the form of the ask from, joined with what is
// kept of the ask id. Both may be the same ask.
func (h *Host) joined(ctx context.Context, from, id string, own, kept questions.Entry) questions.Entry {
	h.noting.Lock()
	before, known := h.took[id]
	if !known && from != id {
		before, known = within(h.took[from], kept), true
	}
	differs := known && !kept.Same(before)
	h.shared[id] = h.shared[id] || differs
	h.noting.Unlock()
	if !differs {
		return own
	}
	return merged(before, own, kept, func(said safe.Text) safe.Text { return h.onto(ctx, id, said) })
}

// onto moves a review that was begun on another version of the plan to the version that the ask
// is about. If the texts cannot be read, it returns the review as it is.
func (h *Host) onto(ctx context.Context, id string, said safe.Text) safe.Text {
	asks, err := h.store.AsksNow(ctx, id)
	if err != nil || asks[0].Spec.Plan == nil {
		return said
	}
	now, err := h.store.PlanText(ctx, asks[0].Session, asks[0].Spec.Plan.Number)
	if err != nil {
		return said
	}
	moved := review.NewEntry(now)
	moved.Load(said, h.begun(ctx, asks[0], said, now))
	return moved.Save()
}

// within leaves in an entry only what the entry of another ask has, too. What that one lacks was
// never carried into it, and was not taken back there.
func within(entry, other questions.Entry) questions.Entry {
	entry = entry.Clone()
	maps.DeleteFunc(entry.Fields, func(id string, _ questions.Field) bool {
		_, there := other.Fields[id]
		return !there
	})
	if other.Note.IsZero() {
		entry.Note = safe.Text{}
	}
	if other.Message.IsZero() {
		entry.Message = safe.Text{}
	}
	return entry
}

// Took notes what the store held when the form that is shown now was opened. If another pane
// saves after that, this pane joins its entry with what is stored, and overwrites nothing.
func (h *Host) Took(id string, entry questions.Entry) {
	h.noting.Lock()
	defer h.noting.Unlock()
	h.took[id] = entry.Clone()
}

// sharing notes that another pane shows the ask, if it does. It reports whether one did before.
func (h *Host) sharing(id string, others bool) bool {
	h.noting.Lock()
	defer h.noting.Unlock()
	h.shared[id] = h.shared[id] || others
	return h.shared[id]
}

// merged joins what was entered here with what another pane kept. Both began with before.
// If they are about different versions of a plan, onto moves each review to the same one.
func merged(before, own, kept questions.Entry, onto func(safe.Text) safe.Text) questions.Entry {
	entry := own.Merge(before, kept)
	was, here, there := before.Fields[questions.ReviewID].Text, own.Fields[questions.ReviewID].Text, kept.Fields[questions.ReviewID].Text
	if here != was && there != was {
		comments := entry.Fields[questions.ReviewID]
		comments.Text = review.Merge(was, here, there, onto)
		entry.Fields[questions.ReviewID] = comments
	}
	return entry
}

// Settle writes an outcome. If the person edited the plan, it first writes the edited
// plan. It returns the ask as the store has it now, also with an error, if it could be
// read.
func (h *Host) Settle(ask store.Ask, outcome questions.Outcome, edited safe.Text) (now store.Ask, err error) {
	h.writing.Lock()
	defer h.writing.Unlock()
	ctx, cancel := h.lastStep()
	defer cancel()
	if err = h.keepEdit(ctx, ask, edited); err == nil {
		now, err = h.store.Settle(ctx, ask.ID, outcome)
	}
	h.settled[ask.ID] = err == nil
	if err == nil {
		h.approved, _ = h.store.ApprovedTasks(ctx, now) // else the receipt says less: the verdict is kept
	}
	if err != nil && now.ID == "" {
		if asks, readErr := h.store.AsksNow(ctx, ask.ID); readErr == nil && len(asks) == 1 {
			now = asks[0]
		}
	}
	return now, err
}

// Approved tells what followed from the ask that was settled last, if the person approved
// tasks in it.
func (h *Host) Approved() store.ApprovedTasks {
	h.writing.Lock()
	defer h.writing.Unlock()
	return h.approved
}

// keepEdit stores the plan as the person edited it as a version. This comes first,
// because the review then names that version.
func (h *Host) keepEdit(ctx context.Context, ask store.Ask, edited safe.Text) error {
	if edited.IsZero() {
		return nil
	}
	_, _, err := h.store.SavePlanEdit(ctx, store.PlanID{Session: ask.Session, Number: ask.Spec.Plan.Number}, edited.Raw())
	return err
}

// KeepLate stores an entry that was never sent with its ask, which ended elsewhere. It
// settles the ask once more: the store keeps the words of every outcome that comes too
// late.
func (h *Host) KeepLate(ask store.Ask, entry questions.Entry) error {
	ctx, cancel := h.lastStep()
	defer cancel()
	late := questions.Outcome{State: questions.Discuss, Reply: entry.Reply(ask.Spec), Message: entry.Message}
	if late.Message.Blank() {
		late.Message = safe.New(store.NotSent)
	}
	_, err := h.store.Settle(ctx, ask.ID, late)
	if _, tooLate := errors.AsType[*questions.SettledError](err); tooLate {
		err = nil
	}
	return err
}
