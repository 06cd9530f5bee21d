package compare

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/editor/external"
	"planb/tui/keymap"
)

// patchContext is how many unchanged lines a copied patch has around each change.
const patchContext = 3

// sharePatch copies the whole diff as a patch, or opens it in the pager or the editor.
func (d *Screen) sharePatch(act keymap.Action) tea.Cmd {
	patch := d.diff.Unified(patchName(d.older), patchName(d.newer), patchContext)
	if patch == "" {
		d.status = "There is nothing to copy: the texts are the same."
		return nil
	}
	file := fmt.Sprintf("v%d-v%d.patch", d.older, d.newer)
	return d.share.Share(act, func(context.Context) (external.Shared, error) {
		return external.Shared{What: "The difference as a patch", File: file, Text: safe.New(patch)}, nil
	})
}

// patchName is the name of a version in a patch. Its readable copy has the same name.
func patchName(number int) string { return fmt.Sprintf("v%d.md", number) }
