package mcp

import (
	"encoding/json"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// listens reports whether the message opens a stream of notifications
// (subscriptions/listen, protocol versions from 2026-07-28 on), and which ones
// the client wants. The loop serves it because every message of the stream
// names the client's own request id.
func listens(message *envelope) (wanted sdk.SubscriptionFilter, ok bool) {
	if message.method != string(sdk.MethodSubscriptionsListen) ||
		!sdk.IsModernProtocol(metaOf(message.Params).ProtocolVersion) {
		return wanted, false
	}
	var params sdk.SubscriptionsListenParams
	if json.Unmarshal(message.Params, &params) != nil {
		return wanted, false
	}
	return params.Notifications, true
}

// listen acknowledges what of the stream this server has, the tool list's
// changes, and keeps the stream open until the client cancels it or the
// connection ends. With nothing to send it ends at once.
func (c *conn) listen(served *call, wanted sdk.SubscriptionFilter) []byte {
	granted := sdk.SubscriptionFilter{ToolsListChanged: wanted.ToolsListChanged}
	meta := map[string]json.RawMessage{sdk.MetaKeySubscriptionID: served.request.ID}
	opened, err := notification(string(sdk.MethodNotificationSubscriptionsAcknowledged), map[string]any{
		"_meta": meta, "notifications": granted,
	})
	if err != nil {
		return errorResponse(served.request.ID, &rpcError{codeInternal, err.Error()})
	}
	c.send(opened)
	if !granted.IsEmpty() {
		select {
		case <-served.ctx.Done():
		case <-c.closing:
		}
	}
	ended, err := response(served.request.ID, "result", map[string]any{
		"_meta": meta, "resultType": sdk.ResultTypeComplete,
	})
	if err != nil {
		return errorResponse(served.request.ID, &rpcError{codeInternal, err.Error()})
	}
	return ended
}
