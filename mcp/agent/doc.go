// Package agent is what planb knows of the agent at the other end of a connection:
// its client and project, the planb sessions it began, named or may see, and the asks
// whose outcome it is to learn.
//
// All of it ends with the connection, also the claims in the store, by which other
// processes see that the agent that asked still lives. Other rooms decide what an agent is
// told, and how its questions are shown.
//
// Begin to read at Agent; scope.go says what an agent may see.
package agent
