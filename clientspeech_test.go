package main_test

import (
	"encoding/json"
	"fmt"
	"io"
)

type object = map[string]any

// event writes one server-sent event; unnamed ones have no event line.
func event(w io.Writer, name string, data object) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // maps of strings and numbers always encode
	}
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", text)
}

// sayAsMessages says it as Anthropic's Messages does.
func sayAsMessages(w io.Writer, said utterance) {
	typed := func(kind string, data object) {
		data["type"] = kind
		event(w, kind, data)
	}
	typed("message_start", object{"message": object{
		"id": "msg_" + said.id, "type": "message", "role": "assistant", "model": "scripted", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 1},
	}})
	block, delta, reason := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": said.text}, "end_turn"
	if said.tool != "" {
		block = object{"type": "tool_use", "id": "toolu_" + said.id, "name": said.tool, "input": object{}}
		delta, reason = object{"type": "input_json_delta", "partial_json": said.arguments}, "tool_use"
	}
	typed("content_block_start", object{"index": 0, "content_block": block})
	typed("content_block_delta", object{"index": 0, "delta": delta})
	typed("content_block_stop", object{"index": 0})
	typed("message_delta", object{"delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": object{"output_tokens": 5}})
	typed("message_stop", object{})
}

// sayAsResponses says it as OpenAI's Responses does.
func sayAsResponses(w io.Writer, said utterance) {
	typed := func(kind string, data object) {
		data["type"] = kind
		event(w, kind, data)
	}
	item := object{
		"type": "message", "role": "assistant", "id": "msg_" + said.id, "status": "completed",
		"content": []any{object{"type": "output_text", "text": said.text, "annotations": []any{}}},
	}
	if said.tool != "" {
		item = object{
			"type": "function_call", "id": "fc_" + said.id, "call_id": said.id, "status": "completed",
			"name": said.tool, "arguments": said.arguments,
		}
		if said.namespace != "" {
			item["namespace"] = said.namespace
		}
	}
	id := "resp_" + said.id
	typed("response.created", object{"response": object{"id": id}})
	typed("response.output_item.added", object{"output_index": 0, "item": item})
	typed("response.output_item.done", object{"output_index": 0, "item": item})
	typed("response.completed", object{"response": object{"id": id, "output": []any{item}, "usage": object{
		"input_tokens": 10, "input_tokens_details": nil, "output_tokens": 5, "output_tokens_details": nil, "total_tokens": 15,
	}}})
}

// sayAsChat says it as OpenAI's chat completions do.
func sayAsChat(w io.Writer, said utterance) {
	chunk := func(delta object, reason any) {
		event(w, "", object{
			"id": "chatcmpl-" + said.id, "object": "chat.completion.chunk", "created": 1, "model": "scripted",
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": reason}},
		})
	}
	delta, reason := object{"role": "assistant", "content": said.text}, "stop"
	if said.tool != "" {
		delta, reason = object{"role": "assistant", "tool_calls": []any{object{
			"index": 0, "id": said.id, "type": "function", "function": object{"name": said.tool, "arguments": said.arguments},
		}}}, "tool_calls"
	}
	chunk(delta, nil)
	chunk(object{}, reason)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// sayAsContent says it as Gemini's streamGenerateContent does.
func sayAsContent(w io.Writer, said utterance) {
	part := object{"text": said.text}
	if said.tool != "" {
		part = object{"functionCall": object{"id": said.id, "name": said.tool, "args": json.RawMessage(said.arguments)}}
	}
	event(w, "", object{
		"candidates": []any{object{
			"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": []any{part}},
		}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
	})
}
