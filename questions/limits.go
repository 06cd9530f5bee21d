package questions

// Limits of a form. They are generous for people and stop a runaway model early.
// Parse refuses a form that exceeds one, with a Problem that names the limit; what an
// answer may be is checked in check.go.
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
	MaxInputBytes = 8 << 20 // what Parse reads; JSON inside a JSON string is larger than the form
)

// Limits of a scale. Within them every point is computed exactly.
const (
	MaxScaleEnd      = 1e12 // distance of Min and Max from zero
	MaxScaleDecimals = 6    // digits after the point of Min, Max and Step
)

// MaxReplyBytes limits all texts of a reply together. A pasted log of a few
// megabytes fits.
const MaxReplyBytes = 16 << 20
