package questions

import (
	"maps"
	"slices"

	"planb/questions/safe"
)

// Same reports whether two entries hold the same. The question last worked on does not
// count.
func (d Entry) Same(other Entry) bool {
	if d.Note != other.Note || d.Message != other.Message {
		return false
	}
	for id, f := range d.Fields {
		if !f.Same(other.Fields[id]) {
			return false
		}
	}
	for id, f := range other.Fields {
		if !f.Same(d.Fields[id]) {
			return false
		}
	}
	return true
}

// Clone returns a copy that shares nothing with the entry.
func (d Entry) Clone() Entry {
	d.Fields = maps.Clone(d.Fields)
	for id, f := range d.Fields {
		f.Picked = slices.Clone(f.Picked)
		if f.Number != nil {
			f.Number = new(*f.Number)
		}
		d.Fields[id] = f
	}
	return d
}

// Merge joins what two panes entered into one form. Both began with the entry base. Merge
// returns the entry with everything that theirs changed and the entry itself left as it was.
// If both changed the same answer, or the same note, the entry keeps its own.
func (d Entry) Merge(base, theirs Entry) Entry {
	merged := Entry{
		Fields: maps.Clone(d.Fields), Focus: d.Focus,
		Note: mergeText(d.Note, base.Note, theirs.Note), Message: mergeText(d.Message, base.Message, theirs.Message),
	}
	for _, fields := range []map[string]Field{base.Fields, theirs.Fields} {
		for id := range fields {
			f := d.Fields[id].merge(base.Fields[id], theirs.Fields[id])
			_, here := merged.Fields[id]
			if !here && f.empty() {
				continue
			}
			if merged.Fields == nil {
				merged.Fields = map[string]Field{}
			}
			merged.Fields[id] = f
		}
	}
	return merged
}

func mergeText(own, base, theirs safe.Text) safe.Text {
	if own == base {
		return theirs
	}
	return own
}

// merge is Merge for one question: its answer, and its note.
func (f Field) merge(base, theirs Field) Field {
	note := mergeText(f.Note, base.Note, theirs.Note)
	if f.sameAnswer(base) {
		f = theirs
	}
	f.Note = note
	return f
}

// Same reports whether two fields hold the same.
func (f Field) Same(other Field) bool { return f.Note == other.Note && f.sameAnswer(other) }

func (f Field) sameAnswer(other Field) bool {
	sameNumber := f.Number == other.Number || f.Number != nil && other.Number != nil && *f.Number == *other.Number
	return f.Text == other.Text && slices.Equal(f.Picked, other.Picked) && f.Other == other.Other &&
		f.OtherPicked == other.OtherPicked && sameNumber
}
