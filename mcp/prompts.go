package mcp

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/files"
	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/mcp/wire"
	"planb/setup/known"
)

// planPrompt is what the prompt plan says if no file is given for it.
//
//go:embed planprompt.md
var planPromptText string

// promptArgument is the one argument that prompts take: what the user typed behind
// their names.
const promptArgument = "ARGUMENTS"

// maxPromptBytes bounds a file with a prompt.
const maxPromptBytes = 1 << 20

// prompts are what a user can call by name.
type prompts struct {
	promptFile string // has the text of the prompt plan instead of planb's own
	copies     planfile.Copies
	log        *slog.Logger
}

// addPrompts offers prompts for the tools that are offered: plan for a plan that
// is a file, planb for the whole way with a session.
func (s *prompts) addPrompts(sdkServer *server.MCPServer, toolsets []string, skill string) {
	offers := func(set string) bool { return slices.Contains(toolsets, set) || slices.Contains(toolsets, "all") }
	if offers("review") {
		sdkServer.AddPrompt(sdk.NewPrompt("plan",
			sdk.WithPromptDescription("Generate an implementation plan for a task."),
			sdk.WithArgument(promptArgument, sdk.RequiredArgument(), sdk.ArgumentDescription("The task to plan")),
		), s.planPrompt)
	}
	if offers("session") && skill != "" {
		sdkServer.AddPrompt(sdk.NewPrompt("planb",
			sdk.WithPromptDescription("Plan together: explore, ask in forms, save every version of the plan."),
			sdk.WithArgument(promptArgument, sdk.ArgumentDescription("What to plan")),
		), s.skillPrompt(skill))
	}
}

// planPrompt serves the prompt plan. A file is read each time, so that it may be
// changed while the server runs; that it cannot be read is told, and planb's own
// prompt stands in.
func (s *prompts) planPrompt(ctx context.Context, request sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	body, description := planPromptText, "Enter plan mode."
	if s.promptFile != "" {
		own, err := s.readPrompt(ctx)
		if err == nil {
			body = own
		} else {
			why := fmt.Sprintf("The prompt file that planb was started with cannot be used: %s. This is planb's own prompt instead.", tool.OneLine(err.Error()))
			s.log.Warn("the prompt file cannot be used", "error", err)
			description += " " + why
			body = why + " Tell your user so, in a sentence, before you begin.\n\n" + body
		}
	}
	return s.promptResult(ctx, description, substitute(body, request.Params.Arguments)), nil
}

// readPrompt reads the file that was given for the prompt plan. A relative path is
// of the project.
func (s *prompts) readPrompt(ctx context.Context) (string, error) {
	r, ok := tool.RequestFrom(ctx)
	if !ok {
		return "", errors.New("a prompt was asked for outside a connection")
	}
	project := r.Agent.Dirs(ctx)[0]
	path := planfile.InProject(project, s.promptFile)
	data, err := planfile.ReadChosen(project, path, maxPromptBytes)
	large, tooLarge := errors.AsType[*files.SizeError](err)
	switch {
	case tooLarge:
		return "", fmt.Errorf("%s has %d bytes; at most %d are taken", path, large.Size, large.Limit)
	case errors.As(err, new(*files.KindError)):
		return "", fmt.Errorf("%s is no file", path)
	case err != nil:
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			err = at.Err // which named only what is in its directory
		}
		return "", fmt.Errorf("%s: %w", path, err)
	case !utf8.Valid(data):
		return "", fmt.Errorf("%s is not UTF-8: its byte %d is 0x%02x", path, tool.NotUTF8(string(data))+1, data[tool.NotUTF8(string(data))])
	case strings.TrimSpace(string(data)) == "":
		return "", fmt.Errorf("%s is empty", path)
	}
	return string(data), nil
}

// skillPrompt is a skill as a prompt: without what stands before its text.
func (s *prompts) skillPrompt(skill string) server.PromptHandlerFunc {
	body := skill
	if rest, front := strings.CutPrefix(skill, "---\n"); front {
		if _, after, closed := strings.Cut(rest, "\n---\n"); closed {
			body = strings.TrimLeft(after, "\n")
		}
	}
	return func(ctx context.Context, request sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		task := map[string]string{promptArgument: request.Params.Arguments[promptArgument]}
		return s.promptResult(ctx, "Plan together with the user.", substitute(body, task)), nil
	}
}

// promptResult is the prompt, or its beginning and where all of it is. One that is
// too long, and cannot be written to a file, is given as it is.
func (s *prompts) promptResult(ctx context.Context, description, text string) *sdk.GetPromptResult {
	result := &sdk.GetPromptResult{Description: description}
	say := func(text string) {
		result.Messages = append(result.Messages, sdk.NewPromptMessage(sdk.RoleUser, sdk.NewTextContent(text)))
	}
	r, ok := tool.RequestFrom(ctx)
	if !ok {
		say(text)
		return result
	}
	most := known.BySelfName(r.Agent.Client(ctx).Name.Raw()).ResultLimit(false)
	if tool.Size(text) <= most {
		say(text)
		return result
	}
	path, err := s.copies.WritePrompt(text, s.log)
	if err != nil {
		s.log.Warn("a long prompt could not be written to a file", "error", err)
		say(text)
		return result
	}
	where := fmt.Sprintf("This prompt is longer than clients pass on: %s characters. Read all of it before you begin: %s", tool.Grouped(tool.Characters(text)), path)
	say(tool.Fitting(text, most-tool.Size(where, "…")) + "…")
	say(where)
	return result
}

// substitute puts the arguments into the places that name them, $NAME. Names that
// were not given stay as they are, and so does what an argument holds.
func substitute(body string, given map[string]string) string {
	if len(given) == 0 {
		return body
	}
	var text strings.Builder
	for {
		before, after, found := strings.Cut(body, "$")
		text.WriteString(before)
		if !found {
			return text.String()
		}
		name := after
		if end := strings.IndexFunc(after, func(r rune) bool { return !isWord(r) }); end >= 0 {
			name = after[:end]
		}
		if value, ok := given[name]; ok && name != "" {
			text.WriteString(value)
		} else {
			text.WriteString("$" + name)
		}
		body = after[len(name):]
	}
}

func isWord(r rune) bool {
	return r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc)
}

// refusePrompt words, in place of the protocol library, that there is no such
// prompt.
func refusePrompt(ctx context.Context, _ any, _ sdk.MCPMethod, request any, err error) {
	asked, prompt := request.(*sdk.GetPromptRequest)
	r, ok := tool.RequestFrom(ctx)
	if !prompt || !ok || !errors.Is(err, server.ErrPromptNotFound) {
		return
	}
	r.Refused = &wire.Error{Code: sdk.INVALID_PARAMS, Message: fmt.Sprintf("Prompt '%s' not found", asked.Params.Name)}
}
