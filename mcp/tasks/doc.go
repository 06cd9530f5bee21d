// Package tasks has the tools for plans of tasks: agents propose a graph of tasks, their
// user approves exactly that on planb's own screen, and agents do the tasks. Each
// tool has a file of its own, with its row, description, schema and handler.
//
// A tool reads its arguments, calls the store once, and answers with one JSON object and
// words for the model after it; an error is a JSON object, too (result.go). Which state
// may follow which, and the words of every refusal, are rules of planb/plans/tasks. What an
// agent is told of an approval is in approval.go. No tool approves anything: approve_plan
// opens a review and waits for its outcome.
//
// Begin to read at tasks.go.
package tasks
