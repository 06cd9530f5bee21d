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

// planPromptText is the prompt plan if no file is given for it.
//
//go:embed planprompt.md
var planPromptText string

// promptArgument is the only argument of a prompt: the text that the user typed behind its
// name.
const promptArgument = "ARGUMENTS"

// maxPromptBytes bounds a file with a prompt.
const maxPromptBytes = 1 << 20

// prompts are what a user can call by name.
type prompts struct {
	promptFile string // has the text of the prompt plan instead of planb's own
	copies     planfile.Copies
	log        *slog.Logger
	// missing reports whether a word is the name of a tool that is not offered now.
	missing func(word string) bool
}

// offeredOnly leaves the paragraphs out of a text of planb's own that name a tool which is not
// offered now. A section that begins with such a paragraph is about the tool: all of it goes.
func (s *prompts) offeredOnly(text string) string {
	var sections [][]string // each is a heading and the paragraphs below it; the first has no heading
	for block := range strings.SplitSeq(text, "\n\n") {
		if isHeading(block) || len(sections) == 0 {
			sections = append(sections, nil)
		}
		last := len(sections) - 1
		sections[last] = append(sections[last], block)
	}
	var kept []string
	for _, section := range sections {
		if isHeading(section[0]) && len(section) > 1 && s.namesMissing(section[1]) {
			continue
		}
		kept = append(kept, slices.DeleteFunc(section, s.namesMissing)...)
	}
	return strings.Join(kept, "\n\n")
}

func isHeading(block string) bool { return strings.HasPrefix(block, "#") }

// namesMissing reports whether a text names a tool that is not offered now.
func (s *prompts) namesMissing(text string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !isWord(r) }), s.missing)
}

// addPrompts offers prompts for the tools that are offered: plan for a plan that
// is a file, planb for the whole way with a session.
func (s *prompts) addPrompts(sdkServer *server.MCPServer, toolsets []string, skill string) {
	if offers(toolsets, "review") {
		sdkServer.AddPrompt(sdk.NewPrompt("plan",
			sdk.WithPromptDescription("Generate an implementation plan for a task."),
			sdk.WithArgument(promptArgument, sdk.RequiredArgument(), sdk.ArgumentDescription("The task to plan")),
		), s.planPrompt)
	}
	if offers(toolsets, "drafts") {
		sdkServer.AddPrompt(sdk.NewPrompt("draft",
			sdk.WithPromptDescription("Write a plan that was begun with planb draft new, or go on with one."),
			sdk.WithArgument(promptArgument, sdk.RequiredArgument(), sdk.ArgumentDescription("The plan's id")),
		), s.draftPrompt)
	}
	if offers(toolsets, "session") && skill != "" {
		sdkServer.AddPrompt(sdk.NewPrompt("planb",
			sdk.WithPromptDescription("Plan together: explore, ask in forms, save every version of the plan."),
			sdk.WithArgument(promptArgument, sdk.ArgumentDescription("What to plan")),
		), s.skillPrompt(skill))
	}
}

// draftPrompt serves the prompt draft.
func (s *prompts) draftPrompt(ctx context.Context, request sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	if request.Params.Arguments[promptArgument] == "" {
		return nil, fmt.Errorf("the prompt draft needs the argument %s: the id of a draft, as planb draft lists it", promptArgument)
	}
	const text = "Write the planb draft $ARGUMENTS with me: call step_next with that plan_id, and do what it says until it says DONE."
	return s.promptResult(ctx, "Write a draft.", substitute(text, request.Params.Arguments)), nil
}

// planPrompt serves the prompt plan. The file is read each time, so that a person may
// change it while the server runs. If it cannot be read, the prompt says so and is planb's
// own.
func (s *prompts) planPrompt(ctx context.Context, request sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	body, description := s.offeredOnly(planPromptText), "Enter plan mode."
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
		return "", fmt.Errorf("%s has %d bytes; at most %d are read", path, large.Size, large.Limit)
	case errors.As(err, new(*files.KindError)):
		return "", fmt.Errorf("%s is not a file", path)
	case err != nil:
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			err = at.Err // its path is relative to its directory
		}
		return "", fmt.Errorf("%s: %w", path, err)
	case !utf8.Valid(data):
		return "", fmt.Errorf("%s is not UTF-8: its byte %d is 0x%02x", path, tool.NotUTF8(string(data))+1, data[tool.NotUTF8(string(data))])
	case strings.TrimSpace(string(data)) == "":
		return "", fmt.Errorf("%s is empty", path)
	}
	return string(data), nil
}

// skillPrompt returns a skill as a prompt, without its front matter.
func (s *prompts) skillPrompt(skill string) server.PromptHandlerFunc {
	body := skill
	if rest, front := strings.CutPrefix(skill, "---\n"); front {
		if _, after, closed := strings.Cut(rest, "\n---\n"); closed {
			body = strings.TrimLeft(after, "\n")
		}
	}
	return func(ctx context.Context, request sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		task := map[string]string{promptArgument: request.Params.Arguments[promptArgument]}
		return s.promptResult(ctx, "Plan together with the user.", substitute(s.offeredOnly(body), task)), nil
	}
}

// promptResult returns the prompt. If it is too long for the client, it returns the
// beginning and the path of a file with all of it; if that file cannot be written, the
// whole prompt.
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

// substitute replaces each $NAME by the argument with that name. A name without an argument
// stays as it is; a $NAME inside an argument is not replaced.
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

// refusePrompt is a hook that words the protocol library's error for a prompt that does not
// exist.
func refusePrompt(ctx context.Context, _ any, _ sdk.MCPMethod, request any, err error) {
	asked, prompt := request.(*sdk.GetPromptRequest)
	r, ok := tool.RequestFrom(ctx)
	if !prompt || !ok || !errors.Is(err, server.ErrPromptNotFound) {
		return
	}
	r.Refused = &wire.Error{Code: sdk.INVALID_PARAMS, Message: fmt.Sprintf("Prompt '%s' not found", asked.Params.Name)}
}
