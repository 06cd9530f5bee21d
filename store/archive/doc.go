// Package archive exports whole sessions from a store, as files that stand on
// their own, and imports them again. The layout of planb-mcp and browser-plan
// is exported and imported. JSON (for programs) and Markdown (for people) are
// only exported. A format that needs more than one file of code is a package of
// its own over Session, such as sessionpage. This package does not know how a store
// keeps a session, and asks no person anything. It writes files only through a
// Place.
//
// # The layout of planb-mcp
//
// A root has sessions/<id>/ with session.json, asks/<time>-<id>.json and plans/v<N>.md with
// v<N>.json beside it. ReadRoot reads a root; Files returns the files of one session. An
// imported session is finished: Closed says what becomes of open asks. The layout has no
// word for some states of planb; Files writes the nearest word. docs/formats.md has the
// table. A member named planb has what the layout has no place for, so that ReadRoot reads
// back everything that Files wrote. planb-mcp ignores that member.
//
// # The JSON document
//
// Schema describes it (JSON Schema, draft 2020-12). Times are RFC 3339 in UTC
// with all their digits, durations are in Go's notation, texts are exact. Later
// versions of planb may add members, so a reader must ignore members that it
// does not know. "version" changes only if such a reader could not read the
// document.
package archive
