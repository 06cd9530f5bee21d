// Package tasks holds the rules for plans of tasks: what an agent may propose,
// what a person approves, which task comes next, and when a task is done.
//
// A Plan is a title, a description and tasks, each with a nodeKey, two contracts
// and the tasks it depends on. Its parts go through the package in this order:
//
//   - ReadProposal reads what a model wrote. ParseMarkdown, ImportMarkdown,
//     ImportBeads and Template.Fill give the same Proposal. Render writes it for the
//     person, who reviews exactly that text.
//   - Proposal.Plan numbers the tasks of a new plan; Plan.Amend changes one.
//   - Build makes the Graph: keys, hashes, edges and an order, without the long
//     texts. It refuses cycles and names their path.
//   - Graph.Hash covers all that a person approves, Seed.Hash one task of it.
//     Graph.Unlocked finds the approved tasks by comparing the plan with what was
//     approved: a flag could be wrong.
//     Compare says what an amendment changes.
//   - Look gives a View, which answers which task is ready, which comes first, and
//     why another is not. One function decides that and words it.
//   - State.After is the state machine, and Verification.Check the test of a report.
//   - Error is every refusal, with its code and its words.
//
// # How a store uses it
//
// The record of a plan has its Status and the names of chunks: one chunk for Graph.Pack
// and one for each of Plan.Leaves, and the same for the plan that was approved. A store
// writes new chunks first, or along with the commit that refers to them; equal chunks have equal
// bytes. It reads them with Unpack, ReadLeaf and Graph.Complete. A Graph never
// changes, so a server can keep it by the digest of its chunk. Graph.With adds an
// edge, which changes the graph's chunk and no leaf.
//
// Marks are the states and priorities of all tasks in one small record. Each change
// of a task checks and writes that task's own record, so that one of two claims
// loses. Blocked and Ready are derived by a View of graph, marks and claims, and
// never stored.
//
// The package is pure: it does no input or output, has no clock, and does not know
// how plans are kept or shown. Begin with task.go and graph.go; limits are in
// limits.go.
package tasks
