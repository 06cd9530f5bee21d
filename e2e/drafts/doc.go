// Package drafts tests how a draft is written through the whole program: a scripted model
// calls a real server, and a person decides at the gates in a real terminal.
package drafts
