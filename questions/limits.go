package questions

// Limits of a form. They are generous for people and tell a runaway model
// early; a form over one of them is refused with a Problem that names it.
const (
	MaxQuestions = 20  // questions of one form
	MaxOptions   = 200 // options of one question
	MaxIDBytes   = 128 // a question's id

	MaxTitleBytes       = 1 << 10 // Spec.Title, Spec.IntroTitle
	MaxTabBytes         = 256     // Question.Tab
	MaxLabelBytes       = 4 << 10 // Question.Label, Option.Label
	MaxPlaceholderBytes = 1 << 10 // Question.Placeholder
	MaxValueBytes       = 4 << 10 // Option.Value
	MaxLineBytes        = 4 << 10 // Option.Description
	MaxMarkdownBytes    = 512 << 10

	MaxSpecBytes  = 1 << 20 // a whole form, as canonical JSON
	MaxInputBytes = 8 << 20 // what Parse looks at; JSON within JSON is larger than the form
	MaxInputItems = 100_000 // values in that JSON, of any type
	MaxDepth      = 32      // nesting of that JSON
)

// Limits of a scale. Within them every point is computed exactly.
const (
	MaxScaleEnd      = 1e12 // distance of Min and Max from zero
	MaxScaleDecimals = 6    // digits after the point of Min, Max and Step
)

// MaxReplyBytes limits the texts of a reply, all together. A pasted log of
// some megabytes fits.
const MaxReplyBytes = 16 << 20

// MaxProblems is how many problems an error lists. One mistake made in every
// option is told well enough by the first of them.
const MaxProblems = 60
