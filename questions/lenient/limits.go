package lenient

// Limits of the JSON that Parse reads.
const (
	MaxInputItems = 100_000 // values, of any type; see ParseUpTo
	MaxDepth      = 32      // nesting
)

// MaxProblems is how many problems an error lists. A mistake that is repeated in
// every item of a list is clear from the first of them.
const MaxProblems = 60
