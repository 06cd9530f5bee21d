// Package archive takes whole sessions out of a store, as files that stand on
// their own, and brings them back. The layout in which planb-mcp and browser-plan
// keep their sessions goes both ways; JSON is for programs, Markdown for people,
// and both only go out. A form that is larger than a file of code is a package of
// its own over Session. How a store keeps things is no business of this package,
// nor is what to ask a person; it writes files only through a Place.
//
// # The layout of planb-mcp
//
// A root has sessions/<id>/ with session.json, asks/<time>-<id>.json and
// plans/v<N>.md with v<N>.json beside it. ReadRoot reads one, Files writes a
// session of it. What is imported has ended: Closed says what becomes of what was
// still open. States of planb's own that the layout has no words for are written
// as the nearest of its words; the README has the table. Beside them, in a member
// named planb, stands everything that only planb knows, so that ReadRoot reads
// back whatever Files wrote, and planb-mcp passes over it.
//
// Files that were imported come out of Files byte for byte, as long as nothing
// they tell of has changed: whatever of them does not follow from the session is
// kept beside it as its Origin, also files that made no sense.
//
// # The JSON document
//
// Schema describes it (JSON Schema, draft 2020-12). Times are RFC 3339 in UTC
// with as many digits as they have, durations as Go writes them, texts exact.
// Members are only ever added, so a reader must pass over those that it does not
// know. Another "version" would be one that such a reader cannot read.
package archive
