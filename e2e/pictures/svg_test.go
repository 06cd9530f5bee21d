package pictures_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/themes"
)

// Sizes in pixels of the picture. DejaVu Sans Mono is 0.602 em wide, and its
// lines and blocks are 1.164 em high, 0.928 of them above the base line. At
// this font size that is one cell, so that boxes join without a gap.
const (
	pictureFont     = "DejaVu Sans Mono"
	pictureFontSize = 26.576
	pictureBase     = 24.7 // from a cell's top to the base line
	cellWidth       = 16
	cellHeight      = 31
	pictureMargin   = 28
	pictureTitleBar = 52
)

// pictureSize returns a picture's size for a screen of that many cells.
func pictureSize(columns, rows int) (width, height int) {
	return columns*cellWidth + 2*pictureMargin, rows*cellHeight + pictureTitleBar + pictureMargin
}

// drawing is an SVG document that is being written.
type drawing struct {
	bytes.Buffer
	theme themes.Theme
	ink   color.RGBA // the terminal's own text colour
	paper color.RGBA // the terminal's own background
}

// drawScreen draws the cells as a terminal window. The picture uses the last
// background that its theme is made for.
func drawScreen(screen [][]cell, theme themes.Theme) []byte {
	d := &drawing{theme: theme, ink: rig.RGB(theme.Palette.Text), paper: rig.RGB(theme.Backgrounds[len(theme.Backgrounds)-1])}
	width, height := pictureSize(len(screen[0]), len(screen))
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">`+"\n", width, height)
	d.window(width, height)
	fmt.Fprintf(d, `<g font-family="%s" font-size="%g">`+"\n", pictureFont, pictureFontSize)
	for y, row := range screen {
		d.row(row, pictureTitleBar+y*cellHeight)
	}
	d.WriteString("</g>\n</svg>\n")
	return d.Bytes()
}

func (d *drawing) window(width, height int) {
	border := rig.HexColor(rig.RGB(d.theme.Palette.Border))
	fmt.Fprintf(d, `<rect x="1" y="1" width="%d" height="%d" rx="18" fill="%s" stroke="%s" stroke-width="2"/>`+"\n",
		width-2, height-2, rig.HexColor(d.paper), border)
	for i := range 3 {
		fmt.Fprintf(d, `<circle cx="%d" cy="27" r="8" fill="%s"/>`+"\n", pictureMargin+8+28*i, border)
	}
}

// row draws the backgrounds first, because a glyph may reach into the next
// cell.
func (d *drawing) row(row []cell, top int) {
	for from, to := range runs(row, func(c cell) any { _, bg := d.colors(c.style); return bg }) {
		if _, bg := d.colors(row[from].style); bg != d.paper {
			d.rect(from, to, top, cellHeight, bg)
		}
	}
	for from, to := range runs(row, func(c cell) any { return c.style }) {
		style := row[from].style
		fg, _ := d.colors(style)
		d.text(row[from:to], from, top, fg, style)
		if style.underline {
			d.rect(from, to, top+27, 2, fg)
		}
		if style.strike {
			d.rect(from, to, top+17, 2, fg)
		}
	}
}

func (d *drawing) rect(from, to, top, height int, fill color.RGBA) {
	fmt.Fprintf(d, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" shape-rendering="crispEdges"/>`+"\n",
		pictureMargin+from*cellWidth, top, (to-from)*cellWidth, height, rig.HexColor(fill))
}

// text draws a run of one style, word by word. Only ASCII letters are certain
// to come from the font itself and to have its width. Every other character is
// placed at its own column.
func (d *drawing) text(run []cell, from, top int, fg color.RGBA, style cellStyle) {
	ascii := func(c cell) bool { return len(c.text) == 1 && c.text != " " }
	for i := 0; i < len(run); {
		end := i + 1
		for ascii(run[i]) && end < len(run) && ascii(run[end]) {
			end++
		}
		var word strings.Builder
		for _, c := range run[i:end] {
			word.WriteString(c.text)
		}
		if strings.TrimSpace(word.String()) != "" {
			fmt.Fprintf(d, `<text x="%d" y="%g" fill="%s"%s>`,
				pictureMargin+(from+i)*cellWidth, float64(top)+pictureBase, rig.HexColor(fg), fontOf(style))
			xml.EscapeText(d, []byte(word.String())) //nolint:errcheck // a bytes.Buffer never fails
			d.WriteString("</text>\n")
		}
		i = end
	}
}

func fontOf(style cellStyle) string {
	font := ""
	if style.bold {
		font += ` font-weight="bold"`
	}
	if style.italic {
		font += ` font-style="italic"`
	}
	return font
}

// colors returns a style's colours on this terminal.
func (d *drawing) colors(style cellStyle) (fg, bg color.RGBA) {
	fg, bg = d.ink, d.paper
	if style.fg != nil {
		fg = color.RGBAModel.Convert(style.fg).(color.RGBA)
	}
	if style.bg != nil {
		bg = color.RGBAModel.Convert(style.bg).(color.RGBA)
	}
	if style.inverse {
		fg, bg = bg, fg
	}
	if style.faint {
		fg = color.RGBA{between(fg.R, bg.R), between(fg.G, bg.G), between(fg.B, bg.B), 255}
	}
	return fg, bg
}

func between(a, b uint8) uint8 { return uint8((int(a) + int(b)) / 2) }

// runs yields the ends of the longest runs of cells with the same key.
func runs(row []cell, key func(cell) any) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(row); {
			to := from + 1
			for to < len(row) && key(row[to]) == key(row[from]) {
				to++
			}
			if !yield(from, to) {
				return
			}
			from = to
		}
	}
}

// rasterise converts an SVG to a PNG with rsvg-convert (Debian: librsvg2-bin)
// and the font above (fonts-dejavu-core). Smooth edges give thousands of
// shades; it keeps up to 256 of the most frequent. That takes a third of the bytes and
// makes no visible difference.
func rasterise(svg []byte) ([]byte, error) {
	full, err := pixels(svg, 1)
	if err != nil {
		return nil, err
	}
	var small bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&small, fewColors(full)[0]); err != nil {
		return nil, err
	}
	return small.Bytes(), nil
}

// pixels draws an SVG, so many times as large.
func pixels(svg []byte, times float64) (image.Image, error) {
	cmd := exec.Command("rsvg-convert", "--format=png", fmt.Sprintf("--zoom=%g", times))
	cmd.Stdin = bytes.NewReader(svg)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("rsvg-convert: %w: %s", err, complaint.String())
	}
	full, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		return nil, fmt.Errorf("rsvg-convert made no picture: %w", err)
	}
	return full, nil
}

// rounding sorts the few shades of the window's round corners first. Each is
// rare, but without them the corners would look torn.
func rounding(a, b color.NRGBA) int { return cmp.Compare(min(a.A, 254), min(b.A, 254)) }

// paletteOf picks up to 256 colours. The most frequent ones are grounds and inks, which
// themes tell apart by little. Of the others, the blends at the edges of letters, one that can
// hardly be told from a more frequent one must not take the place of a rare one that means
// something.
func paletteOf(frequent []color.NRGBA) (palette color.Palette) {
	const (
		exact = 40
		alike = 10 * 10 // square of the distance
	)
	for _, c := range frequent {
		if len(palette) == 256 {
			break
		}
		if len(palette) < exact || !slices.ContainsFunc(palette, func(other color.Color) bool { return distance(c, other.(color.NRGBA)) < alike }) {
			palette = append(palette, c)
		}
	}
	return palette
}

// distance is the square of the distance between two colours.
func distance(a, b color.NRGBA) (sum int) {
	for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B), int(a.A) - int(b.A)} {
		sum += d * d
	}
	return sum
}

// fewColors returns the pictures in up to 256 colours, the most frequent in all of them.
func fewColors(pictures ...image.Image) []*image.Paletted {
	count := map[color.NRGBA]int{}
	at := func(full image.Image, x, y int) color.NRGBA {
		return color.NRGBAModel.Convert(full.At(x, y)).(color.NRGBA)
	}
	for _, full := range pictures {
		bounds := full.Bounds()
		for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
			for x := bounds.Min.X; x < bounds.Max.X; x++ {
				count[at(full, x, y)]++
			}
		}
	}
	frequent := make([]color.NRGBA, 0, len(count))
	for c := range count {
		frequent = append(frequent, c)
	}
	slices.SortFunc(frequent, func(a, b color.NRGBA) int {
		return cmp.Or(rounding(a, b), cmp.Compare(count[b], count[a]), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	palette := paletteOf(frequent)
	nearest := map[color.NRGBA]uint8{}
	var all []*image.Paletted
	for _, full := range pictures {
		bounds := full.Bounds()
		few := image.NewPaletted(bounds, palette)
		for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
			for x := bounds.Min.X; x < bounds.Max.X; x++ {
				c := at(full, x, y)
				index, known := nearest[c]
				if !known {
					index = uint8(palette.Index(c))
					nearest[c] = index
				}
				few.SetColorIndex(x, y, index)
			}
		}
		all = append(all, few)
	}
	return all
}

// A dialog's ground differs from the screen's by little, and stays what it is.
func TestGroundsStayApart(t *testing.T) {
	theme := themes.Default(true)
	grounds := image.NewNRGBA(image.Rect(0, 0, 300, 40))
	paper, surface := theme.Backgrounds[len(theme.Backgrounds)-1], theme.Palette.Surface
	fill := func(area image.Rectangle, c string) {
		var r, g, b uint8
		if _, err := fmt.Sscanf(c, "#%02x%02x%02x", &r, &g, &b); err != nil {
			t.Fatal(err)
		}
		draw.Draw(grounds, area, image.NewUniform(color.NRGBA{r, g, b, 255}), image.Point{}, draw.Src)
	}
	fill(grounds.Bounds(), string(paper))
	fill(image.Rect(100, 10, 200, 30), string(surface))
	few := fewColors(grounds)[0]
	for _, at := range []image.Point{{0, 0}, {150, 20}} {
		if got, want := color.NRGBAModel.Convert(few.At(at.X, at.Y)), grounds.At(at.X, at.Y); got != want {
			t.Errorf("%v has the colour %v, want %v", at, got, want)
		}
	}
}

func TestDrawScreen(t *testing.T) {
	screen, err := readScreen("\x1b[1;38;2;1;2;3m<a\x1b[0m e\u0301\n\x1b[7mx\x1b[0m \x1b[4;48;2;9;9;9m \x1b[0m 世\n", 6)
	if err != nil {
		t.Fatal(err)
	}
	theme := themes.Default(true)
	svg := string(drawScreen(screen, theme))
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Fatalf("not XML: %v\n%s", err, svg)
	}
	paper := string(theme.Backgrounds[len(theme.Backgrounds)-1])
	for what, want := range map[string]string{
		"bold, coloured, escaped":                      `<text x="28" y="76.7" fill="#010203" font-weight="bold">&lt;a</text>`,
		"a joined mark stays with its letter":          `<text x="76" y="76.7" fill="` + string(theme.Palette.Text) + `">e` + "\u0301" + `</text>`,
		"inverse text":                                 `<text x="28" y="107.7" fill="` + paper + `">x</text>`,
		"inverse background":                           `<rect x="28" y="83" width="16" height="31" fill="` + string(theme.Palette.Text) + `"`,
		"background of a blank":                        `<rect x="60" y="83" width="16" height="31" fill="#090909"`,
		"underline of a blank":                         `<rect x="60" y="110" width="16" height="2" fill="` + string(theme.Palette.Text) + `"`,
		"a wide character stands at its first column":  `<text x="92" y="107.7" fill="` + string(theme.Palette.Text) + `">世</text>`,
		"the window is as wide and high as its screen": `width="152" height="142"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s: %s is not in\n%s", what, want, svg)
		}
	}
}
