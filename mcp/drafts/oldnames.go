package drafts

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/tool"
	"planb/plainjson"
	"planb/store/runs"
)

// OldSet is the toolset of the names that planexe.version 1.0 had. It is a table over the
// tools of drafts: other names of arguments, fields and states, and nothing else.
const OldSet = "drafts-v1"

// TellOldVersion adds to the reply to initialize which version of the old interface the
// old names are. A change that breaks it would raise the number before the dot.
func TellOldVersion(_ context.Context, _ any, _ *sdk.InitializeRequest, said *sdk.InitializeResult) {
	said.Meta = &sdk.Meta{AdditionalFields: map[string]any{"planexe.version": "1.0"}}
}

// oldName is a tool of the old interface.
type oldName struct {
	name, description, schema string
	hints                     tool.Hints
	serve                     handler
	drop                      []string          // arguments that say nothing here
	preset                    map[string]string // arguments where none is given
}

const (
	taskID   = `"task_id":{"type":"string"}`
	ofTask   = `{"type":"object","required":["task_id"],"properties":{` + taskID + `}}`
	ofFile   = `{"type":"object","required":["task_id"],"properties":{` + taskID + `,"artifact":{"type":"string"}}}`
	ofWait   = `{"type":"object","required":["task_id"],"properties":{` + taskID + `,"timeout_sec":{"type":"number"}}}`
	ofLog    = `{"type":"object","properties":{` + taskID + `,"max_lines":{"type":"integer"},"since_cursor":{"type":"integer"}}}`
	ofList   = `{"type":"object","properties":{"limit":{"type":"integer"}}}`
	ofCreate = `{"type":"object","required":["prompt"],"properties":{"prompt":{"type":"string"},"speed_vs_detail":{"type":"string","enum":["ping","fast","all"]},"client_request_id":{"type":"string"}}}`
)

func (s *toolset) oldNames() []oldName {
	look := tool.Hints{ReadOnly: true, Idempotent: true}
	return []oldName{
		{name: "prompt_examples", description: "Good prompts. Call it first.", schema: noArguments, hints: look, serve: s.examplePrompts},
		{name: "task_create", description: "Begin a draft from a prompt.", schema: ofCreate, serve: s.oldCreate, preset: map[string]string{"speed_vs_detail": "ping"}},
		{name: "task_status", description: "How a draft stands.", schema: ofTask, hints: look, serve: s.reads(s.status)},
		{name: "task_wait", description: "Wait for a change of a draft.", schema: ofWait, hints: look, serve: s.reads(s.status), drop: []string{"poll_interval_sec"}, preset: map[string]string{"timeout_sec": "600"}},
		{name: "task_get_latest", description: "How the newest draft stands.", schema: noArguments, hints: look, serve: s.reads(s.status)},
		{name: "task_list", description: "The newest drafts.", schema: ofList, hints: look, serve: s.list},
		{name: "task_stop", description: "Stop a draft.", schema: ofTask, hints: tool.Hints{Idempotent: true}, serve: s.stop},
		{name: "task_file_info", description: "A file of a draft: report, zip or a path.", schema: ofFile, hints: look, serve: s.reads(s.fileInfo)},
		{name: "task_download", description: "Save a file of a draft.", schema: ofFile, serve: s.reads(s.download)},
		{name: "task_logs_tail", description: "What happened to a draft.", schema: ofLog, hints: look, serve: s.reads(s.logs)},
	}
}

// oldTools are the tools of the old interface.
func (s *toolset) oldTools() (list []tool.Tool) {
	for _, old := range s.oldNames() {
		list = append(list, tool.Tool{
			Name: old.name, Description: old.description, Schema: old.schema, Hints: old.hints,
			Serve: func(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
				return s.inOldNames(old.serve(ctx, c, old.arguments(raw)))
			},
		})
	}
	return list
}

// oldCreate serves task_create. Without the tools by which an agent writes, nobody would
// write the plan; so it refuses.
func (s *toolset) oldCreate(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	if len(s.Models.Profiles) > 0 {
		preset := oldName{preset: map[string]string{"model_profile": s.Models.Profiles[0].Name}}
		return s.create(ctx, c, preset.arguments(raw))
	}
	if !s.AgentWrites {
		return failed("", profilesUnavailable, "No model profile is set up here, and the toolset drafts is off, so nobody would write the draft. Ask your user to add drafts to --toolsets.", false)
	}
	return s.create(ctx, c, raw)
}

// arguments are those of a call as the tool behind the old name reads them.
func (o oldName) arguments(raw json.RawMessage) json.RawMessage {
	fields := map[string]json.RawMessage{}
	if len(raw) > 0 && json.Unmarshal(raw, &fields) != nil {
		return raw // the tool says what is wrong
	}
	for _, name := range o.drop {
		delete(fields, name)
	}
	for name, value := range o.preset {
		if _, given := fields[name]; !given {
			fields[name] = json.RawMessage(tool.JSON(value))
		}
	}
	return json.RawMessage(tool.JSON(fields))
}

// oldData is a result in the old names.
type oldData struct {
	fields map[string]any
	tool.Facts
}

// MarshalJSON implements json.Marshaler.
func (d *oldData) MarshalJSON() ([]byte, error) {
	fields := maps.Clone(d.fields)
	if len(d.Earlier) > 0 {
		fields["earlier"] = d.Earlier
	}
	return plainjson.Marshal(fields)
}

// Bound implements tool.Data.
func (d *oldData) Bound() {
	d.fields = map[string]any{}
	d.Facts.Bound()
}

// named is a sentence of planb's with the names of tools that the client has. The sentence must name
// no tool without an old name.
func (s *toolset) named(sentence string) string {
	if s.AgentWrites {
		return sentence
	}
	return strings.NewReplacer("plan_create", "task_create", "plan_status", "task_status", "plan_list", "task_list", "plan_stop", "task_stop",
		"plan_file_info", "task_file_info", "plan_download", "task_download", "plan_logs", "task_logs_tail", "example_prompts", "prompt_examples",
		`"plan_id"`, `"task_id"`).Replace(sentence)
}

// waitCall is the call that waits for a change of a plan.
func (s *toolset) waitCall(plan string) string {
	if s.AgentWrites {
		return fmt.Sprintf(`Call plan_status {"plan_id":%q,"wait_seconds":300}`, plan)
	}
	return fmt.Sprintf(`Call task_wait {"task_id":%q,"timeout_sec":300}`, plan)
}

// goesOn says what has a plan that has ended go on where the client has no tool for that.
func goesOn(plan string) string {
	return fmt.Sprintf("If the user wants to go on, they run  planb draft resume %s && planb draft run %s .", plan, plan)
}

// nextByOthers says what to do with a plan where the old names are all that the client has, so that
// the agent cannot write it.
func (s *toolset) nextByOthers(w runs.Whole, data *status) string {
	switch {
	case w.State == runs.Completed:
		return s.named(written(w.ID))
	case w.State == runs.Stopped:
		return fmt.Sprintf("Stopped by %s: %s. ", w.Stop.By, strings.TrimSuffix(w.Stop.Why, ".")) + goesOn(w.ID)
	case w.State == runs.Failed && w.Draft.Rejected() != "":
		return fmt.Sprintf("Failed: %s. ", w.Draft.Rejected()) + s.named(w.Draft.OnRejection())
	case w.State == runs.Failed:
		return fmt.Sprintf("Failed: %s. ", strings.TrimSuffix(w.Error.Message, ".")) + goesOn(w.ID)
	case data.Waiting != nil && len(data.Ready) == 0:
		answer := "run  " + data.Waiting.Tell
		if data.Waiting.Tell == "" { // nobody has opened the form
			answer = "answer with the key c in  planb tui drafts " + w.ID
		}
		return fmt.Sprintf("It waits for the user at %s: tell them to %s . %s.", data.Waiting.Step, answer, s.waitCall(w.ID))
	case w.Mode == runs.ByWorker || len(data.Writing) > 0:
		return "Others write it, not you. " + s.waitCall(w.ID) + "."
	}
	return fmt.Sprintf("Nobody writes it, and no tool here does. Tell the user that they can have it written:  planb draft run %s", w.ID)
}

// inOldNames words a result in the old names.
func (s *toolset) inOldNames(answer *tool.Result) *tool.Result {
	var fields map[string]any
	if len(answer.Items) == 0 || json.Unmarshal([]byte(answer.Items[0]), &fields) != nil {
		return answer // a sentence about the store
	}
	fields, _ = renamed(fields).(map[string]any)
	if message, ok := fields["message"].(string); ok {
		fields["message"] = s.named(message)
	}
	answer.Items[0], answer.Data = tool.JSON(fields), &oldData{fields: fields}
	return answer
}

// renamed replaces the names of fields, states and codes, at every depth.
func renamed(value any) any {
	names := map[string]string{"plan_id": "task_id", "plans": "tasks"}
	switch value := value.(type) {
	case map[string]any:
		anew := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			to, other := names[name]
			if !other {
				to = name
			}
			inner := value[name]
			switch {
			case name == "state" && (inner == string(runs.Pending) || inner == string(runs.Processing)):
				inner = "running"
			case name == "code" && inner == string(runs.PlanNotFound):
				inner = "TASK_NOT_FOUND"
			default:
				inner = renamed(inner)
			}
			anew[to] = inner
		}
		return anew
	case []any:
		for i, inner := range value {
			value[i] = renamed(inner)
		}
	}
	return value
}
