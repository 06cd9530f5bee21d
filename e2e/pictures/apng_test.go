package pictures_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"testing"
	"time"
)

// still is one picture of an animation, with how long it stands.
type still struct {
	image *image.Paletted
	time  time.Duration
}

// pngSignature begins every PNG.
const pngSignature = "\x89PNG\r\n\x1a\n"

// chunk is one part of a PNG.
type chunk struct {
	kind string
	data []byte
}

// animate writes stills of one size and one palette as an animated PNG that runs again
// and again. Of each still it keeps only the rectangle that differs from the one before.
func animate(stills []still) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(pngSignature)
	sequence := uint32(0)
	for i, s := range stills {
		part := s.image.Bounds()
		if i > 0 {
			part = changed(stills[i-1].image, s.image)
		}
		chunks, err := chunksOf(s.image.SubImage(part).(*image.Paletted))
		if err != nil {
			return nil, err
		}
		control := binary.BigEndian.AppendUint32(nil, sequence)
		for _, n := range []int{part.Dx(), part.Dy(), part.Min.X, part.Min.Y} {
			control = binary.BigEndian.AppendUint32(control, uint32(n))
		}
		control = binary.BigEndian.AppendUint16(control, uint16(s.time.Milliseconds()))
		control = binary.BigEndian.AppendUint16(control, 1000)
		control = append(control, 0, 0) // leave the picture as it is; replace what is there
		sequence++
		for _, c := range chunks {
			switch {
			case c.kind == "IDAT" && i == 0:
				c.write(&out)
			case c.kind == "IDAT":
				c = chunk{"fdAT", append(binary.BigEndian.AppendUint32(nil, sequence), c.data...)}
				sequence++
				c.write(&out)
			case c.kind == "IEND" || i > 0 && c.kind != "IHDR":
			case i > 0:
				chunk{"fcTL", control}.write(&out)
			case c.kind == "IHDR":
				c.write(&out)
				count := binary.BigEndian.AppendUint32(nil, uint32(len(stills)))
				chunk{"acTL", binary.BigEndian.AppendUint32(count, 0)}.write(&out)
				chunk{"fcTL", control}.write(&out)
			default:
				c.write(&out) // the palette
			}
		}
	}
	chunk{kind: "IEND"}.write(&out)
	return out.Bytes(), nil
}

func (c chunk) write(out *bytes.Buffer) {
	body := append([]byte(c.kind), c.data...)
	out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(c.data))))
	out.Write(body)
	out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}

// chunksOf encodes a picture and returns its chunks.
func chunksOf(p *image.Paletted) ([]chunk, error) {
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&encoded, p); err != nil {
		return nil, err
	}
	return readChunks(encoded.Bytes())
}

// readChunks cuts a PNG into its chunks.
func readChunks(content []byte) (chunks []chunk, err error) {
	rest, found := bytes.CutPrefix(content, []byte(pngSignature))
	for found && len(rest) >= 12 {
		size := int(binary.BigEndian.Uint32(rest))
		if len(rest) < 12+size {
			break
		}
		chunks = append(chunks, chunk{string(rest[4:8]), rest[8 : 8+size]})
		rest = rest[12+size:]
	}
	if !found || len(rest) > 0 {
		return nil, fmt.Errorf("no PNG, or one that is cut off")
	}
	return chunks, nil
}

// changed is the smallest rectangle outside of which two pictures are the same; one pixel
// if they do not differ, because a frame must have one.
func changed(a, b *image.Paletted) image.Rectangle {
	differs := image.Rectangle{}
	bounds := b.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			if a.ColorIndexAt(x, y) != b.ColorIndexAt(x, y) {
				differs = differs.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if differs.Empty() {
		return image.Rectangle{bounds.Min, bounds.Min.Add(image.Pt(1, 1))}
	}
	return differs
}

// duration returns how long an animated PNG runs, and its number of frames.
func duration(content []byte) (time.Duration, int, error) {
	chunks, err := readChunks(content)
	var all time.Duration
	frames := 0
	for _, c := range chunks {
		if c.kind == "fcTL" {
			frames++
			all += time.Second * time.Duration(binary.BigEndian.Uint16(c.data[20:])) / time.Duration(binary.BigEndian.Uint16(c.data[22:]))
		}
	}
	return all, frames, err
}

func TestAnimate(t *testing.T) {
	palette := color.Palette{color.Black, color.White}
	first, second := image.NewPaletted(image.Rect(0, 0, 20, 10), palette), image.NewPaletted(image.Rect(0, 0, 20, 10), palette)
	second.SetColorIndex(3, 4, 1)
	second.SetColorIndex(5, 8, 1)
	if got := changed(first, second); got != image.Rect(3, 4, 6, 9) {
		t.Errorf("what changed is %v", got)
	}
	content, err := animate([]still{{first, time.Second}, {second, 500 * time.Millisecond}, {second, time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	if all, frames, err := duration(content); err != nil || all != 2500*time.Millisecond || frames != 3 {
		t.Errorf("it runs %v in %d frames, %v", all, frames, err)
	}
	if p, err := png.Decode(bytes.NewReader(content)); err != nil || p.Bounds() != first.Bounds() {
		t.Errorf("a viewer without animation shows %v, %v", p, err)
	}
	var kinds []string
	chunks, err := readChunks(content)
	for _, c := range chunks {
		kinds = append(kinds, c.kind)
	}
	if got := fmt.Sprint(kinds); err != nil || got != "[IHDR acTL fcTL PLTE IDAT fcTL fdAT fcTL fdAT IEND]" {
		t.Errorf("the chunks are %s, %v", got, err)
	}
}
