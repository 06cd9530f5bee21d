// Package workshop is a made-up draft: a prompt about a repair workshop, and the answers of a
// model to all steps of a full plan. The demo plays them, and tests use them (draftstest).
package workshop

import "embed"

//go:embed prompt.txt *.json
var files embed.FS

// Start is the day on which the plan begins: the answers name days after it.
const Start = "2026-12-01"

// File returns prompt.txt, or the answer to a step: risks.json.
func File(name string) ([]byte, error) { return files.ReadFile(name) }
