package wording

import (
	"planb/store"
	"planb/store/runs"
)

// OnDecline says what declining an ask ends, beside the ask; empty if that is nothing.
func OnDecline(ask store.Ask) string {
	if ask.About() == runs.SubjectKind {
		return "The draft stops with it; planb draft resume lets it go on."
	}
	return ""
}
