// Package report makes files of a draft: report.html and report.md for people,
// wbs.csv and schedule.csv for spreadsheets, and a zip with all of it, each step's
// output and a manifest.
//
// A report of an unfinished draft has the sections that there are, and a banner
// that says what is missing. The page stands on its own: it loads nothing and has
// no script; the words of models and people are text in it and nothing else (see
// plans/page). The Gantt chart is an SVG made here, in report.md it is drawn in
// text.
//
// The same records give the same bytes. The package is pure: it has no clock and
// writes no files. Begin with HTML and Zip.
package report
