// Package hook has a person review the plan of an agent in a pane beside it, and
// answers the plan-mode hook of Claude Code with the verdict.
//
// A hook is a command that the agent's program runs when the agent wants its plan
// approved. Beside submits the plan through a server of planb's own, as any agent
// would, so this package opens no pane itself. Begin to read at Beside.Review and
// Beside.AnswerClient; what a verdict becomes for the client is in hookOutput, in the
// words of package plans/review.
package hook
