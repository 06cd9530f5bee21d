// Package diff says what changed between two texts, above all between two
// versions of a plan.
//
// [Between] compares them line by line. Its [Diff] holds every line of both, in
// one order, as the same, removed or added, with the line's number in either
// text; the words that changed, where a line became a similar one; and the
// Markdown sections that only moved. From it come the [Hunk]s around the
// changes with the rest folded away, the [Row]s of a view side by side, the
// counts +N −M, and a patch. [Sequence] compares anything else that can be
// listed, [Words] two texts word by word, and [Pairs] finds which of several
// texts became which.
//
// Promises:
//
//   - No byte is lost. The lines that are the same and those removed are the old
//     text, those the same and added are the new one, whatever the texts hold:
//     CR LF, no line end at the end, NUL, bytes that are no UTF-8.
//   - Two texts always have the same diff.
//   - Time and memory are bounded by the size of the texts, however they are
//     made. Where finding the least change would take longer, a larger but true
//     one is found, and no words are marked.
//
// Differences are found by go-udiff's lcs, which gives up after a hundred lines
// and calls everything between the first and the last of them changed: of a
// plan of 8,000 lines in which 121 were changed it says 4,905. So the lines that
// occur once in both texts are matched first, and what is left between them is
// given to it, again and again while it finds something.
//
// The package is pure: it does no input or output, and knows neither sessions
// nor colours nor how a text is drawn.
package diff
