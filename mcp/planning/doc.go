// Package planning has the tools for plans: save_plan, write_plan, edit_plan and
// submit_plan, one file each with its row, description, schema and handler.
//
// Review says what an agent is told of a review. Every result that tells of one says more
// by the steps in Tools: what became of the user's edit of a plan file, whether the plan
// was changed meanwhile, and whether an earlier approval stands. How a plan file is read
// and replaced is decided in package planfile; how a review is brought before the person,
// in package wait.
//
// Begin to read at planning.go.
package planning
