package wire

import (
	"encoding/json"
	"fmt"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// needsVersion refuses a request of a method that exists only from 2026-07-28
// on, where every request names its version, if it names none. The protocol
// library would say that there is no such method, and a client that probes would
// take planb for an older server.
func needsVersion(message *envelope) *Error {
	switch message.method {
	case string(sdk.MethodServerDiscover), string(sdk.MethodSubscriptionsListen):
	default:
		return nil
	}
	if metaOf(message.Params).ProtocolVersion != "" {
		return nil
	}
	return &Error{Code: CodeInvalidParams, Message: fmt.Sprintf(
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

// listen serves a stream of notifications, and returns the message that closes it.
func (c *Conn) listen(served *Call, wanted sdk.SubscriptionFilter) []byte {
	ended, err := response(served.request.ID, "result", c.handler.Listen(served, wanted))
	if err != nil {
		return errorResponse(served.request.ID, &Error{Code: CodeInternal, Message: err.Error()})
	}
	return ended
}
