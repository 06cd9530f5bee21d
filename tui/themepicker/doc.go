// Package themepicker is the list of themes that opens over whatever screen the person is
// on. That screen stays in view beside it and is drawn in the theme under the cursor.
//
// The Picker takes every key, so nothing happens to the screen below. It asks the window
// to show a theme (screen.ShowTheme) and ends with Chosen, which names the theme to go on
// with. It keeps the choice with the terminal's screen.ThemeKeeper; where that is, it does
// not know. Begin to read in picker.go, which takes the keys; the list and its order are
// in state.go.
package themepicker
