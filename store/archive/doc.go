// Package archive takes whole sessions out of a store and brings them back, as
// files that stand on their own. It reads and writes them in these forms:
//
//   - JSON, one document for any number of sessions, which says everything and
//     is read back: WriteJSON and ReadJSON. Its schema is Schema.
//   - the directory that planb-mcp and browser-plan keep for a session:
//     WriteDir and ReadRoot.
//   - Markdown, one text for one session, to be read: WriteMarkdown.
//
// A form that is only to be looked at is a package of its own over Session. How
// a store keeps things is no business of this package, and nothing here decides
// what becomes of an ask that still waits: that is in Closed.
//
// # The JSON document
//
// Schema describes it (JSON Schema, draft 2020-12). Times are RFC 3339 in UTC
// with as many digits as they have, durations as Go writes them, texts exact.
// Members are only ever added; a reader ignores those it does not know. Another
// "version" would be one that this cannot read. Writing what was read gives the
// same bytes, but for what Closed says.
package archive
