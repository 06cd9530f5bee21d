// Planb lets a coding agent ask its human. An agent starts it as an MCP server;
// when the agent asks, a form opens in the terminal beside it, and the answers
// go back as JSON. Everything asked, answered and planned is kept and can be
// looked up.
//
// The commands are in package cli. This file hands them what can only be
// embedded from here.
package main

import (
	"context"
	_ "embed"
	"os"

	"planb/cli"
)

//go:embed skills/planb/SKILL.md
var skill string

//go:embed testdata/specs/medium.json
var demoForm string

func main() {
	os.Exit(cli.Main(context.Background(), cli.Content{Skill: skill, DemoForm: demoForm}, os.Args[1:]))
}
