// Package tool is what the tools of all rooms have in common: how a tool is listed,
// how its arguments are read, who calls it, and what it answers.
//
// A room offers a Set of Tools. A Tool is served with its Caller and answers with a Result:
// texts for the model and the same facts as data. A Fitter shortens a Result to what its
// client passes on, and keeps what it leaves out where the agent can fetch it. An After
// adds to every Result.
//
// No tool is defined here, and no outcome of an ask is worded here.
//
// Begin to read at tool.go.
package tool
