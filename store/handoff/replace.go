package handoff

import (
	"slices"

	"planb/store"
)

// maxReplaced is how many entries one commit may replace.
const maxReplaced = 20

// replace finds the quiet entries of which the quiet en leaves nothing to read.
// They need not be kept, if no entry between stands on them; en then stands on
// what they stood on.
func (j *journal) replace(en entry) (entry, []entry) {
	if !en.Quiet {
		return en, nil
	}
	var replaced []entry
	for i, old := range slices.Backward(j.entries) {
		// The first may be home already, though nobody lived to take it from away.
		if i == 0 || len(replaced) == maxReplaced {
			break
		}
		if !old.Quiet || !covers(en, old) || leansOn(j.entries[i+1:], old, replaced) {
			continue
		}
		both := en
		both.Checks = instead(en.Checks, old)
		if both.Validate() == nil { // else it is too much for one commit
			en, replaced = both, append(replaced, old)
		}
	}
	return en, replaced
}

// covers reports whether en writes all that old wrote.
func covers(en, old entry) bool {
	writes := en.keys()
	for _, k := range old.keys() {
		if !slices.Contains(writes, k) {
			return false
		}
	}
	return true
}

// leansOn reports whether an entry after old, which is not itself replaced,
// touches what old wrote or what it stood on.
func leansOn(later []entry, old entry, replaced []entry) bool {
	written := old.keys()
	touched := old.keys()
	for _, c := range old.Checks {
		touched = append(touched, c.Key)
	}
	for _, en := range later {
		if slices.ContainsFunc(replaced, func(r entry) bool { return r.rev == en.rev }) {
			continue
		}
		if slices.ContainsFunc(en.keys(), func(k store.Key) bool { return slices.Contains(touched, k) }) {
			return true
		}
		if slices.ContainsFunc(en.Checks, func(c store.Check) bool { return slices.Contains(written, c.Key) }) {
			return true
		}
	}
	return false
}

// instead are the checks without those of what old wrote, and with old's own.
func instead(checks []store.Check, old entry) []store.Check {
	written := old.keys()
	var out []store.Check
	for _, c := range checks {
		if !slices.Contains(written, c.Key) {
			out = append(out, c)
		}
	}
	for _, c := range old.Checks {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}
