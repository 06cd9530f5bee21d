package retro

import (
	"context"

	"planb/questions/safe"
	"planb/store/timeline"
	"planb/tui/markdown"
	"planb/tui/wording"
)

// ReadCited reads what the citations in versions of a plan show, by the numbers of the versions.
// An answer that changed between them is shown as the newest has it. Of answers that cannot be
// read citations show the ids: a plan is read all the same.
func ReadCited(ctx context.Context, from interface {
	timeline.Source
	timeline.Texts
}, session string, texts map[int]safe.Text) markdown.Cited {
	return markdown.NewCited(wording.Citations(timeline.Cited(ctx, from, session, texts)))
}
