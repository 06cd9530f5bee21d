// Package asking has the tools by which an agent asks its user: init_planb_session,
// ask_user and get_answer, one file each with its row, description, schema and handler.
//
// Questions says what an agent is told of a form; get_answer serves every subject of an
// ask, without knowing it. Package wait brings a form before the person, and its outcome to
// the agent.
//
// Begin to read at asking.go.
package asking
