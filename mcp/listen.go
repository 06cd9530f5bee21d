package mcp

import (
	"encoding/json"
	"fmt"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// needsVersion refuses a request of a method that exists only from 2026-07-28
// on, where every request names its version, if it names none. The protocol
// library would say that there is no such method, and a client that probes would
// take planb for an older server.
func needsVersion(message *envelope) *rpcError {
	switch message.method {
	case string(sdk.MethodServerDiscover), string(sdk.MethodSubscriptionsListen):
	default:
		return nil
	}
	if metaOf(message.Params).ProtocolVersion != "" {
		return nil
	}
	return &rpcError{Code: codeInvalidParams, Message: fmt.Sprintf(
		"%s needs the protocol version it is sent by, a text, in params._meta[%q]; the first that has it is %q",
		message.method, sdk.MetaKeyProtocolVersion, sdk.ProtocolVersion20260728)}
}

// listens reports whether the message opens a stream of notifications
// (subscriptions/listen, protocol versions from 2026-07-28 on), and which ones
// the client wants. The loop serves it because every message of the stream
// names the client's own request id. A message that is malformed, or of a
// version to come, is left to the protocol library, which refuses it.
func listens(message *envelope) (wanted sdk.SubscriptionFilter, ok bool) {
	if message.method != string(sdk.MethodSubscriptionsListen) {
		return wanted, false
	}
	var params struct {
		sdk.SubscriptionsListenParams
		Meta *sdk.Meta `json:"_meta"`
	}
	if json.Unmarshal(message.Params, &params) != nil {
		return wanted, false
	}
	version := params.Meta.ProtocolVersion()
	if !sdk.IsModernProtocol(version) || !sdk.IsValidProtocolVersion(version) || params.Meta.ClientCapabilities() == nil {
		return wanted, false
	}
	return params.Notifications, true
}

// listen acknowledges those resources the client wants to follow that there are,
// and nothing else: this server's lists never change. The stream of a client that
// wants something stays open in any case, until the client cancels it or the
// connection ends; one that ended at once would look lost, and be opened again
// and again.
func (c *conn) listen(served *call, wanted sdk.SubscriptionFilter) []byte {
	meta := map[string]json.RawMessage{sdk.MetaKeySubscriptionID: served.request.ID}
	var granted sdk.SubscriptionFilter
	followed := &subscriptions{conn: c, meta: meta, held: true}
	defer followed.leaveAll()
	for _, uri := range wanted.ResourceSubscriptions {
		if err := followed.follow(served.ctx, uri); err == nil { // what is not granted is not followed
			granted.ResourceSubscriptions = append(granted.ResourceSubscriptions, uri)
		}
	}
	opened, err := notification(string(sdk.MethodNotificationSubscriptionsAcknowledged), map[string]any{
		"_meta": meta, "notifications": granted,
	})
	if err != nil {
		return errorResponse(served.request.ID, &rpcError{Code: codeInternal, Message: err.Error()})
	}
	c.send(opened)
	followed.begin()
	if !wanted.IsEmpty() {
		defer served.park()()
		select {
		case <-served.ctx.Done():
		case <-c.closing:
		}
	}
	ended, err := response(served.request.ID, "result", map[string]any{
		"_meta": meta, "resultType": sdk.ResultTypeComplete,
	})
	if err != nil {
		return errorResponse(served.request.ID, &rpcError{Code: codeInternal, Message: err.Error()})
	}
	return ended
}
