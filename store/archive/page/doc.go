// Package page writes a session as one HTML page: what happened, the plan with
// the changes of each version, and each ask with its answers.
//
// The page is one file that stands on its own. It loads nothing and has no
// script. It follows the reader's light or dark setting, and works from a disk,
// on a phone and on paper. The same session always gives the same page.
//
// The words of agents and people can't do anything in the page:
//
//   - They are text: cleaned as for a screen (see safe) and escaped by
//     html/template. Only Markdown becomes HTML. This package renders it from the
//     parsed tree, with a fixed set of elements. The only attributes that an agent
//     can set are addresses of http, https and mailto; the browser follows them
//     only on a click, and each link says where it leads. Raw HTML is shown as it
//     was written, images as links.
//   - A Content-Security-Policy forbids all else, in case the cleaning fails:
//     every script, request, frame and form, and every style but the page's own.
//
// Diagrams are drawn as text by the Draw function that the caller gives to
// [Write]. The source is folded below each diagram. The drawings are escaped
// like any other text.
//
// A text that is too large or too deeply nested to be laid out is shown as
// plain text, with a sentence that says so. The package reads and writes no
// files.
package page
