package ledger

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// codec compresses chunks. Most processes handle few, so nothing is set up
// before the first, and memory matters more than speed.
type codec struct {
	encoders    [2]encoder // the second is for compressAll
	decoderOnce sync.Once
	decoder     *zstd.Decoder
	decoderErr  error
}

// encoder compresses one text at a time.
type encoder struct {
	once sync.Once
	zstd *zstd.Encoder
	err  error
}

// maxDecoders is how many chunks are expanded at once: a search does so on every
// core. A decoder that is not used takes a few hundred bytes.
const maxDecoders = 4

// alone is how many bytes of text one goroutine compresses faster than two would.
const alone = 64 << 10

// compressAll returns a zstd frame with its checksum for each text. Two goroutines compress
// long texts.
func (c *codec) compressAll(texts [][]byte) ([][]byte, error) {
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	used := c.encoders[:]
	if size <= alone || len(texts) == 1 {
		used = used[:1]
	}
	frames, errs := make([][]byte, len(texts)), make([]error, len(used))
	var next atomic.Int64
	var group sync.WaitGroup
	for i := range used {
		group.Go(func() {
			for {
				at := int(next.Add(1)) - 1
				if at >= len(texts) || errs[i] != nil {
					return
				}
				frames[at], errs[i] = used[i].compress(texts[at])
			}
		})
	}
	group.Wait()
	return frames, errors.Join(errs...)
}

func (c *encoder) compress(raw []byte) ([]byte, error) {
	c.once.Do(func() {
		c.zstd, c.err = zstd.NewWriter(nil,
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
	if c.err != nil {
		return nil, c.err
	}
	return c.zstd.EncodeAll(raw, make([]byte, 0, len(raw)/4)), nil
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
