// Package page makes Markdown from agents and people safe for an HTML page. Pages
// made with it stand on their own: they load nothing and have no script.
//
// The words of agents and people can't do anything in such a page:
//
//   - They are text: cleaned as for a screen (see safe) and escaped. Only Markdown
//     becomes HTML. This package renders it from the parsed tree, with a fixed set
//     of elements. The only attributes that an agent can set are addresses of
//     http, https and mailto; the browser follows them only on a click, and each
//     link says where it leads. Raw HTML is shown as it was written, images as
//     links.
//   - The Content-Security-Policy of Policy forbids all else, in case the cleaning
//     fails: every script, request, frame and form, and every style but the page's
//     own.
//
// Diagrams are drawn as text by the Draw function that the caller gives to NewDrawer.
// The source is folded below each diagram. The drawings are escaped like any other
// text. If a text is too large or too deeply nested, the page shows it as plain text
// and says so in a sentence.
//
// The package knows nothing of what a page is about, and reads and writes no files.
// Begin to read at Markdown.
package page
