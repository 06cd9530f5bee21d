package clients_test

import (
	"encoding/json"
	"fmt"
	"io"

	"planb/e2e/rig"
)

// event writes one server-sent event. An event without a name has no event
// line.
func event(w io.Writer, name string, data rig.Object) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // maps of strings and numbers can always be encoded
	}
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", text)
}

// sayAsMessages writes it in Anthropic's Messages.
func sayAsMessages(w io.Writer, said utterance) {
	typed := func(kind string, data rig.Object) {
		data["type"] = kind
		event(w, kind, data)
	}
	typed("message_start", rig.Object{"message": rig.Object{
		"id": "msg_" + said.id, "type": "message", "role": "assistant", "model": "scripted", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": rig.Object{"input_tokens": 10, "output_tokens": 1},
	}})
	block, delta, reason := rig.Object{"type": "text", "text": ""}, rig.Object{"type": "text_delta", "text": said.text}, "end_turn"
	if said.tool != "" {
		block = rig.Object{"type": "tool_use", "id": "toolu_" + said.id, "name": said.tool, "input": rig.Object{}}
		delta, reason = rig.Object{"type": "input_json_delta", "partial_json": said.arguments}, "tool_use"
	}
	typed("content_block_start", rig.Object{"index": 0, "content_block": block})
	typed("content_block_delta", rig.Object{"index": 0, "delta": delta})
	typed("content_block_stop", rig.Object{"index": 0})
	typed("message_delta", rig.Object{"delta": rig.Object{"stop_reason": reason, "stop_sequence": nil}, "usage": rig.Object{"output_tokens": 5}})
	typed("message_stop", rig.Object{})
}

// sayAsResponses writes it in OpenAI's Responses.
func sayAsResponses(w io.Writer, said utterance) {
	typed := func(kind string, data rig.Object) {
		data["type"] = kind
		event(w, kind, data)
	}
	item := rig.Object{
		"type": "message", "role": "assistant", "id": "msg_" + said.id, "status": "completed",
		"content": []any{rig.Object{"type": "output_text", "text": said.text, "annotations": []any{}}},
	}
	if said.tool != "" {
		item = rig.Object{
			"type": "function_call", "id": "fc_" + said.id, "call_id": said.id, "status": "completed",
			"name": said.tool, "arguments": said.arguments,
		}
		if said.namespace != "" {
			item["namespace"] = said.namespace
		}
	}
	id := "resp_" + said.id
	typed("response.created", rig.Object{"response": rig.Object{"id": id}})
	typed("response.output_item.added", rig.Object{"output_index": 0, "item": item})
	typed("response.output_item.done", rig.Object{"output_index": 0, "item": item})
	typed("response.completed", rig.Object{"response": rig.Object{"id": id, "output": []any{item}, "usage": rig.Object{
		"input_tokens": 10, "input_tokens_details": nil, "output_tokens": 5, "output_tokens_details": nil, "total_tokens": 15,
	}}})
}

// sayAsChat writes it in OpenAI's chat completions.
func sayAsChat(w io.Writer, said utterance) {
	chunk := func(delta rig.Object, reason any) {
		event(w, "", rig.Object{
			"id": "chatcmpl-" + said.id, "object": "chat.completion.chunk", "created": 1, "model": "scripted",
			"choices": []any{rig.Object{"index": 0, "delta": delta, "finish_reason": reason}},
		})
	}
	delta, reason := rig.Object{"role": "assistant", "content": said.text}, "stop"
	if said.tool != "" {
		delta, reason = rig.Object{"role": "assistant", "tool_calls": []any{rig.Object{
			"index": 0, "id": said.id, "type": "function", "function": rig.Object{"name": said.tool, "arguments": said.arguments},
		}}}, "tool_calls"
	}
	chunk(delta, nil)
	chunk(rig.Object{}, reason)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// sayAsContent writes it in Gemini's streamGenerateContent.
func sayAsContent(w io.Writer, said utterance) {
	part := rig.Object{"text": said.text}
	if said.tool != "" {
		part = rig.Object{"functionCall": rig.Object{"id": said.id, "name": said.tool, "args": json.RawMessage(said.arguments)}}
	}
	event(w, "", rig.Object{
		"candidates": []any{rig.Object{
			"index": 0, "finishReason": "STOP", "content": rig.Object{"role": "model", "parts": []any{part}},
		}},
		"usageMetadata": rig.Object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
	})
}
