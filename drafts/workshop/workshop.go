// Package workshop is a short draft: a prompt about a repair workshop, and made-up answers to
// all steps of a full plan. planb demo draft plays them. Tests make whole drafts of them, with
// a person's answers, by drafts/draftstest. A plan that an agent wrote is in drafts/example.
package workshop

import "embed"

//go:embed prompt.txt *.json
var files embed.FS

// Start is the day on which the plan begins: the answers name days after it.
const Start = "2026-12-01"

// File returns prompt.txt, or the answer to a step: risks.json.
func File(name string) ([]byte, error) { return files.ReadFile(name) }
