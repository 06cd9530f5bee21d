// Package page makes one HTML page of a session: what happened, the plan with
// what each version changed, and each ask with its answers.
//
// The page is one file that stands on its own. It loads nothing, from anywhere,
// has no script, follows the reader's light or dark setting, and works from a
// disk, on a phone and on paper. The same session always gives the same page.
//
// What agents and people wrote can't do anything in it:
//
//   - It is text: cleaned as for a screen, see safe, and escaped by
//     html/template. Only Markdown becomes HTML, made here of its parsed tree
//     from a fixed set of elements, with no attribute that an agent chose but
//     addresses of http, https and mailto, which are followed by a click alone
//     and say where they lead. Raw HTML is shown as it was written, images as
//     links.
//   - A Content-Security-Policy forbids all else, if that should fail: every
//     script, request, frame and form, and every style but the page's own.
//
// Diagrams are drawn as text, by whoever is handed to [Write]; the source of each can
// be unfolded below it. What they say is escaped like any other text.
//
// What is too large or too deeply nested to be laid out is shown as plain text,
// with a sentence that says so. The package reads and writes no file.
package page
