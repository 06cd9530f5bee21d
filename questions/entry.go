package questions

import "planb/questions/safe"

// Entry is a half-filled form: everything the person has typed or picked so
// far, valid or not.
type Entry struct {
	Fields  map[string]Field `json:"fields,omitempty"` // by question id
	Note    safe.Text        `json:"note,omitzero"`    // on the whole form
	Message safe.Text        `json:"message,omitzero"` // for a discuss or declined outcome, begun and not sent
	Focus   string           `json:"focus,omitempty"`  // id of the question last worked on
}

// Field is one question's part of an Entry. A kind leaves the fields that it does not use
// zero.
type Field struct {
	Text        safe.Text `json:"text,omitzero"`         // text, longtext
	Picked      []string  `json:"picked,omitempty"`      // single, multi: values of options, single at most one
	Other       safe.Text `json:"other,omitzero"`        // the text under "Other…", kept even while unpicked
	OtherPicked bool      `json:"otherPicked,omitempty"` // "Other…" is chosen
	Number      *float64  `json:"number,omitempty"`      // scale
	Note        safe.Text `json:"note,omitzero"`
}

// Reply returns the reply that submitting the entry now would give, normalized.
// It leaves out blank texts, an Other that is blank or not chosen, and picks that
// the form does not offer. If both an option and Other are chosen in a single
// question, Other wins. Reply does not check whether the reply may be submitted;
// CheckReply does.
func (d Entry) Reply(s Spec) Reply {
	r := Reply{Answers: map[string]Value{}, Notes: map[string]safe.Text{}, Note: d.Note}
	for _, q := range s.Questions {
		f, ok := d.Fields[q.ID]
		if !ok {
			continue
		}
		r.Notes[q.ID] = f.Note
		if kind, ok := rulesOf(q.Kind); ok {
			r.Answers[q.ID] = kind.value(q, f)
		}
	}
	return s.Normalize(r)
}

// EntryFrom returns the entry whose Reply is r. The caller uses it to show a
// stored answer in its form, or to start a form with earlier answers. EntryFrom
// leaves out whatever does not fit the form.
func (s Spec) EntryFrom(r Reply) Entry {
	r = s.Normalize(r)
	d := Entry{Fields: map[string]Field{}, Note: r.Note}
	for _, q := range s.Questions {
		var f Field
		v := r.Answers[q.ID]
		if kind, ok := rulesOf(q.Kind); ok && !v.IsZero() && len(kind.check(q, v)) == 0 {
			f = kind.field(q, v)
		}
		note, noted := r.Notes[q.ID]
		f.Note = note
		if noted || !f.empty() {
			d.Fields[q.ID] = f
		}
	}
	return d
}

// EntryAgain returns the entry with the answers of an earlier form, as far as they answer the
// questions of the same id in this one: without the options that are gone, and with the
// person's own words. See Question.Refit.
func (s Spec) EntryAgain(earlier Spec, r Reply) Entry {
	fitted := Reply{Answers: map[string]Value{}, Notes: r.Notes, Note: r.Note}
	for id, answer := range r.Answers {
		fitted.Answers[id] = answer
		now, asked := s.Question(id)
		if was, known := earlier.Question(id); asked && known && now.Kind != Review {
			fitted.Answers[id], _ = now.Refit(was, answer)
		}
	}
	return s.EntryFrom(fitted)
}

// empty reports whether nothing was typed or picked.
func (f Field) empty() bool {
	return f.Text.IsZero() && len(f.Picked) == 0 && f.Other.IsZero() && !f.OtherPicked && f.Number == nil && f.Note.IsZero()
}
