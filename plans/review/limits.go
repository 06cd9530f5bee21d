package review

// Limits of a review.
const (
	MaxComments     = 1000
	MaxCommentBytes = 64 << 10 // one comment's Text, and its Instead
	MaxJSONBytes    = 8 << 20  // the whole review
)
