package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
)

// The scopes: what a server may be allowed to do.
const (
	plansWrite = "plans:write"
	plansRead  = "plans:read"
	tasksWrite = "tasks:write"
	tasksRead  = "tasks:read"
)

// Scopes are all scopes there are.
func Scopes() []string { return []string{plansWrite, plansRead, tasksWrite, tasksRead} }

// CheckScopes returns an error that lists the scopes, unless each name is one of them.
func CheckScopes(names []string) error {
	for _, name := range names {
		if !slices.Contains(Scopes(), name) {
			return fmt.Errorf("there is no scope %q; known are: %s", name, strings.Join(Scopes(), ", "))
		}
	}
	return nil
}

// allowed returns the tool if this server has the scope. Else the tool is not listed, and
// refuses every call.
func (s *toolset) allowed(scope string, t tool.Tool) tool.Tool {
	if s.Scopes == nil || slices.Contains(s.Scopes, scope) {
		return t
	}
	t.Hidden = true
	t.Serve = func(context.Context, *tool.Caller, json.RawMessage) *tool.Result {
		return failed(rules.Forbidden(scope))
	}
	return t
}

// MayRead reports whether a server with these scopes tells how tasks stand.
func MayRead(scopes []string) bool { return scopes == nil || slices.Contains(scopes, tasksRead) }
