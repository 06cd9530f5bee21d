package tasks

import (
	"strconv"
	"strings"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// Project is the container of plans. It has no states: it can be used at once.
type Project struct {
	ID   string    `json:"projectId"`
	Name safe.Text `json:"name"`
	Slug string    `json:"slug"`
	Path string    `json:"path,omitempty"` // the directory that it was made in
}

// FoldName returns a form of a name that is equal for names that differ only in letter
// case and white space.
func FoldName(name string) string {
	return strings.ToLower(strings.ToUpper(strings.Join(strings.Fields(name), " ")))
}

// FreeSlug returns the slug, or the first of slug-2, slug-3 … that is not taken.
func FreeSlug(slug string, taken func(string) bool) string {
	free := slug
	for n := 2; taken(free); n++ {
		suffix := "-" + strconv.Itoa(n)
		free = strings.TrimRight(lenient.Cut(slug, MaxSlugBytes-len(suffix)), "-") + suffix
	}
	return free
}
