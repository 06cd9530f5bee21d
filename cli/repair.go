package cli

import (
	"context"
	"strings"

	"planb/cli/layout"
)

// repair rewrites the store from all that can be read of its file, and prints what is
// lost. It does not ask first, because the old file is kept.
func (p upkeep) repair(ctx context.Context) error {
	h, err := p.Home()
	if err != nil {
		return err
	}
	made, err := h.Repair(ctx)
	if err != nil {
		return err
	}
	width := p.Width()
	text := layout.Item("Repaired: ", h.Path(), width) + layout.Row("", numbers(made.Checked), width) +
		layout.Item("What was there is kept: ", made.Kept, width)
	if made.Words != "" {
		text += layout.Item("Written for forms that are lost: ", made.Words, width)
	}
	lost := "nothing"
	if len(made.Lost) > 0 {
		lost = strings.Join(made.Lost, "; ") + ". A backup may have it:  planb restore FILE"
	}
	return p.Print(text + layout.Row("Could not be read: ", lost, width))
}
