// Package sessionpage writes a session as one HTML page: what happened, the plan
// with the changes of each version, and each ask with its answers.
//
// The page is one file that stands on its own. It follows the reader's light or
// dark setting, and works from a disk, on a phone and on paper. The same session
// always gives the same page. plans/page makes the words of agents and people
// harmless; the template escapes all that is not Markdown.
//
// The package reads and writes no files. Begin to read at Write.
package sessionpage
