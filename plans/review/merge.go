package review

import (
	"encoding/json"
	"slices"

	"planb/questions/safe"
)

// Merge joins what two panes entered into one review, each as Entry.Save returned it. Both began
// with base. Merge returns own with every comment, held section, note and edit that theirs changed
// and own left as it was. If both changed the same comment, own's stays. If they are about
// different versions of the plan, onto moves each to the same one; with a nil onto, or if one of
// them cannot be read, Merge returns own.
func Merge(base, own, theirs safe.Text, onto func(safe.Text) safe.Text) safe.Text {
	var b, o, t kept
	if theirs == base || !read(base, &b) || !read(own, &o) || !read(theirs, &t) {
		return own
	}
	said := t
	if theirs.IsZero() {
		said = b
	}
	for _, k := range []*kept{&b, &o, &t} {
		if k.Digest == "" {
			*k = unsaid(said)
		}
		if k.Digest == said.Digest {
			continue
		}
		if onto == nil {
			return own
		}
		return Merge(onto(base), onto(own), onto(theirs), nil)
	}
	o.Comments = mergeComments(b.Comments, o.Comments, t.Comments)
	o.Withheld = mergeLines(b.Withheld, o.Withheld, t.Withheld)
	if o.Note == b.Note {
		o.Note = t.Note
	}
	if o.EditedText == b.EditedText {
		o.EditedText, o.Edited = t.EditedText, t.Edited
	}
	text, err := json.Marshal(o)
	if err != nil {
		return own
	}
	return safe.New(string(text))
}

// read reads what Save returned. It leaves k as it is if nothing was said.
func read(saved safe.Text, k *kept) bool {
	return saved.IsZero() || json.Unmarshal([]byte(saved.Raw()), k) == nil
}

// unsaid returns the entry in which nothing was said yet. The comments of earlier reviews that
// still stand are in it.
func unsaid(said kept) kept {
	k := kept{Carried: said.Carried}
	k.Digest = said.Digest
	for _, c := range said.Comments {
		if c.Earlier != "" {
			k.Comments = append(k.Comments, c)
		}
	}
	return k
}

func mergeComments(base, own, theirs []Comment) []Comment {
	byID := func(list []Comment, id string) (Comment, bool) {
		i := slices.IndexFunc(list, func(c Comment) bool { return c.ID == id })
		if i < 0 {
			return Comment{}, false
		}
		return list[i], true
	}
	var merged []Comment
	for _, c := range own {
		if before, _ := byID(base, c.ID); c == before {
			there, stands := byID(theirs, c.ID)
			if !stands {
				continue
			}
			c = there
		}
		merged = append(merged, c)
	}
	for _, c := range theirs {
		before, _ := byID(base, c.ID)
		if _, here := byID(own, c.ID); !here && c != before {
			merged = append(merged, c)
		}
	}
	return merged
}

func mergeLines(base, own, theirs []int) []int {
	lines := slices.Compact(slices.Sorted(slices.Values(slices.Concat(own, theirs))))
	return slices.DeleteFunc(lines, func(line int) bool {
		here := slices.Contains(own, line)
		if here == slices.Contains(base, line) {
			here = slices.Contains(theirs, line)
		}
		return !here
	})
}
