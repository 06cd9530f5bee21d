// Package prompt asks the person one thing over what a screen shows: whether they mean it,
// or which of a few answers, or what to write to an agent.
//
// A Dialog is a box with sentences, perhaps a text to write, and items to choose from. It draws
// itself over the lines of any screen. A Prompt has its question, what follows from it, and the
// keys that answer. What an answer does is known by the screen, which gets the action of the
// key.
package prompt
