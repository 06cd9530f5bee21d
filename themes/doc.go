// Package themes holds colours: palettes as data, found by name.
//
// A palette says what a colour is for, never where it is drawn. Screens, Markdown
// and code all use the same palette. Themes come in families; most families have a
// dark and a light theme. A family is a file in palettes and a name in families.
// The tests check every family by the same rules. A person may write families, too:
// Parse reads them, Collection.With adds them, and Theme.LowContrast says where one of
// their themes is hard to read. Begin with Collection.Find.
//
// The package knows no component and no terminal. The caller finds out whether the
// background is dark, how many colours there are, and whether NO_COLOR is set, and
// then asks for a theme.
//
// A theme uses one of two backgrounds. The themes of the terminal's sixteen colours
// use the terminal's background. So do planb's own themes, if that background is
// as dark or as light as they need; see WithBackground. All other themes paint
// their own background over the whole screen (Palette.Background). A palette is
// made for one background and may be unreadable on another.
//
// Every theme except the terminal's promises a least contrast: 4.5:1 for text (7:1
// in high contrast), and 3:1 for the border that marks the focus (4.5:1 in high
// contrast). The promise holds on the backgrounds that the theme is made for
// (Theme.Backgrounds) and on those it paints, in true colour and in 256 colours. If
// a project's published colour has less contrast, its lightness is changed as
// little as possible, and a comment beside it names the published colour.
package themes
