// Package diff compares two texts, above all two versions of a plan.
//
// [Between] compares line by line. Its [Diff] holds every line of both texts in
// one order, as the same, removed or added, with the line's number in each text.
// It pairs a removed line with the similar line that it became and marks the words
// that differ. It also finds the Markdown sections that only moved. From a Diff
// come the [Hunk]s around the changes, the [Row]s of a side-by-side view, the
// counts +N −M, and a patch. [Sequence] compares two lists of anything, [Words]
// compares two texts word by word, and [Pairs] finds which text of one list became
// which text of another. Begin with diff.go.
//
// Promises:
//
//   - No byte is lost. The same lines and the removed lines together are the old
//     text; the same lines and the added lines together are the new one. This holds
//     for CR LF, a last line without an end, NUL, and bytes that are not UTF-8.
//   - The same two texts always give the same diff.
//   - The size of the texts limits time and memory, for every text. If the smallest
//     change would take too long to find, the package reports a larger but true
//     change and marks no words.
//
// The search is go-udiff's lcs. After about a hundred changed lines lcs gives up and
// reports everything between the first and the last of them as changed: for a plan
// of 8,000 lines with 121 changes it reports 4,905. So the package first matches
// the lines that occur once in each text. It then runs lcs on the stretches between
// them, again and again while lcs finds something.
//
// The package is pure: it does no input or output, and knows no sessions, no
// colours and no drawing.
package diff
