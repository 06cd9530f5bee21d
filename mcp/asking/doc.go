// Package asking has the tools by which an agent asks its user: init_planb_session,
// ask_user and get_answer, one file each with its row, description, schema and handler.
//
// Questions says what an agent is told of a form; get_answer serves every subject of an
// ask, without knowing it. How a form is brought before the person, and how its outcome
// reaches the agent, is decided in package wait.
//
// Begin to read at asking.go.
package asking
