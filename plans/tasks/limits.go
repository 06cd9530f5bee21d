package tasks

import "time"

// Limits of a plan and its tasks. A proposal that exceeds one is refused with a
// Problem that names it.
const (
	MaxTasks     = 10_000 // tasks of one plan, dropped ones included
	MaxSeeds     = 500    // tasks of one proposal
	MaxDependsOn = 100    // edges from one task, hard and soft together

	MaxTitleBytes       = 300      // Seed.Title, Plan.Title
	MaxDescriptionBytes = 16 << 10 // Seed.Description, Plan.Description
	MaxKeyBytes         = 64       // Seed.Key
	MaxListItems        = 20       // each list of a contract
	MaxItemBytes        = 500      // each text in such a list, and Execution.Output
	MaxNoteBytes        = 4 << 10  // a summary, a note, one piece of evidence

	MaxAttempts = 3 // given back as often, a task needs a person

	MaxPriority     = 4           // 0 is the most urgent
	DefaultPriority = 2           // of a task without one
	MaxMinutes      = 60 * 24 * 7 // Seed.Minutes: a week without a break
	DefaultMinutes  = 30          // of a task without an estimate

	MaxNameBytes = 100 // Project.Name
	MaxSlugBytes = 40  // Project.Slug

	MaxMarkdownBytes = 1 << 20 // a rendering that a person reads and approves
	MaxInputBytes    = 8 << 20 // what is read: Markdown, JSON, JSONL
)

// maxImportedItems is how many values the JSON of an import may have: those that MaxTasks tasks
// have always, and those that fit into MaxMarkdownBytes besides.
const maxImportedItems = 500_000

// DefaultGrace is how long a task waits for a holder that is gone if no grace is set.
const DefaultGrace = 2 * time.Minute

// Limits of a leaf; see Plan.Leaves.
const (
	leafTasks = 256
	leafBytes = 256 << 10
)
