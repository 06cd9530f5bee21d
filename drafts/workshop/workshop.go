// Package workshop is the built-in example of a draft: a prompt about a repair workshop, and a
// model's answers to all steps of a full plan. planb demo draft plays them. Tests make whole
// drafts of them, with a person's answers, by drafts/draftstest.
package workshop

import "embed"

//go:embed prompt.txt *.json
var files embed.FS

// Start is the day on which the plan begins: the answers name days after it.
const Start = "2026-12-01"

// File returns prompt.txt, or the answer to a step: risks.json.
func File(name string) ([]byte, error) { return files.ReadFile(name) }
