// Package inbox shows what waits for the person, over all agents and projects, and below it
// all sessions. From here a person answers, snoozes and withdraws forms, archives and
// deletes sessions, filters the list, and opens the past. Without Deps.Answers it lists the
// sessions alone.
//
// New is the screen. Rings says how it is heard when a form comes in. Read, Narrow and
// Withdraw, with the methods of Waiting, are what the list that is read out line by line
// shares with it.
//
// Forms stand in other rooms: the inbox is handed a function that opens one. Past sessions
// and the search are package retro. Begin to read in inbox.go: the keys come in there, and
// what they change is the listState in state.go.
package inbox
