// Package cells makes lines fit terminals that count cells differently.
//
// A layout counts one width for each grapheme cluster: a letter with its marks, a family of
// emoji. Terminals with Unicode mode 2027 count the same way. All others, tmux among them, add
// up the widths of the cluster's characters as wcwidth gives them. An Indic syllable is wider
// there than in the layout; it pushes the frame at its right away, or the line breaks. Fit
// gives a line the same columns on such a terminal. Wrap lays a text out so that Fit has
// nothing to cut. width.go says where terminals disagree, emoji.go what stands for an emoji
// or a flag there.
//
// The package also holds the arithmetic of lines that every screen needs: text.go cuts, fills
// and joins texts, pan.go shows a part of a line that is too wide, style.go has the colours and
// attributes of a text, highlight.go draws what a search found in a styled line, ground.go puts a
// background under one, and clusters.go finds the characters that a person sees as one.
//
// The package knows no screen and no terminal. The caller finds out how the terminal counts.
package cells
