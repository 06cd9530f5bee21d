// Package overview is a screen that lists everything of one kind in groups: all plans of
// tasks, or all drafts.
//
// New makes a List from an Of, which says what the rows are, how they are drawn, and what
// Enter opens. Beside the list, or below it, stands what Preview says of the row under the
// cursor, once Peek has read it. The list reads its rows again whenever the store changes, and
// keeps the cursor on its row. The package knows neither tasks nor drafts. Begin to read at Of.
package overview
