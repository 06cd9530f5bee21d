package ledger

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// codec compresses chunks. Most processes handle few, so nothing is set up
// before the first, and memory matters more than speed.
type codec struct {
	encoderOnce sync.Once
	encoder     *zstd.Encoder
	encoderErr  error
	decoderOnce sync.Once
	decoder     *zstd.Decoder
	decoderErr  error
}

// maxDecoders is how many chunks are expanded at once: a search does so on every
// core. A decoder that is not used takes a few hundred bytes.
const maxDecoders = 4

// compress returns one zstd frame with its checksum.
func (c *codec) compress(raw []byte) ([]byte, error) {
	c.encoderOnce.Do(func() {
		c.encoder, c.encoderErr = zstd.NewWriter(nil,
			zstd.WithEncoderConcurrency(1),
			// Measured on Markdown: the default level makes frames 3 % smaller
			// and takes a megabyte more.
			zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithLowerEncoderMem(true),
			zstd.WithWindowSize(MaxChunk),
			zstd.WithEncoderCRC(true),
			zstd.WithZeroFrames(true),
		)
	})
	if c.encoderErr != nil {
		return nil, c.encoderErr
	}
	return c.encoder.EncodeAll(raw, nil), nil
}

// expand undoes compress. A frame of more than MaxChunk bytes was never written:
// it is an error, found before it fills the memory.
func (c *codec) expand(frame []byte) ([]byte, error) {
	c.decoderOnce.Do(func() {
		c.decoder, c.decoderErr = zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(maxDecoders),
			zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(MaxChunk),
		)
	})
	if c.decoderErr != nil {
		return nil, c.decoderErr
	}
	return c.decoder.DecodeAll(frame, nil)
}
