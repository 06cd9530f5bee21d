// Package marks names the signs that all screens draw, so that each of them means one thing
// everywhere. Each is one cell wide and is in every common font. Marks of an ask's state are
// in package questions.
package marks

// The signs.
const (
	Focus    = "▌" // at the left of the row that has the focus
	Required = "●" // the question must be answered
	Answered = "✓" // the question is answered
	Unchosen = "○" // an option of which one can be chosen
	Chosen   = "◉"
	Unticked = "□" // an option of which many can be chosen, or an item of a list to tick off
	Ticked   = "■"
	Bar      = "▎" // the left edge of a card
	HeldBack = "⊘" // a section of a plan that is not approved with the rest
	Folded   = "▸" // only the heading of a section is shown
	Unfolded = "▾"
)
