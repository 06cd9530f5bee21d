package mcptest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"planb/mcp"
	"planb/mcp/pane"
	"planb/store"
	"planb/store/kv"
)

// Screen is an opener whose panes behave as a test wants.
type Screen struct {
	mu     sync.Mutex
	Panes  []pane.Command     // those that were opened
	Fail   error              // why none can be opened; nil: they can
	Shows  func(askID string) // what runs in a pane; nil: nothing comes up
	Window string             // where panes appear; window-1 by default
}

// Name implements pane.Opener.
func (s *Screen) Name() string { return "testmux" }

// Place implements pane.Opener.
func (s *Screen) Place(context.Context) (string, error) {
	if s.Window == "" {
		return "window-1", nil
	}
	return s.Window, nil
}

// Open implements pane.Opener.
func (s *Screen) Open(_ context.Context, command pane.Command) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Panes = append(s.Panes, command)
	if s.Fail != nil {
		return s.Fail
	}
	if s.Shows != nil {
		go s.Shows(command.Argv[len(command.Argv)-1])
	}
	return nil
}

// Count is how many panes were opened.
func (s *Screen) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.Panes)
}

// WorldWithScreen is a server that opens panes on the screen.
func WorldWithScreen(t *testing.T, s *Screen) *World {
	t.Helper()
	return NewWorld(t, func(cfg *mcp.Config) {
		cfg.NoOpen, cfg.Opener = false, s
		cfg.Env = func(name string) string {
			return map[string]string{"NO_COLOR": "1", "SECRET": "x"}[name]
		}
	})
}

// ServePlace claims the place, marks the ask as shown, and does so until the test
// lets go.
func (w *World) ServePlace(t *testing.T, place string) (show func(askID string), leave func()) {
	t.Helper()
	var held []*store.Held
	var mu sync.Mutex
	show = func(askID string) {
		ctx := context.Background()
		for _, key := range []kv.Key{store.PlaceClaim(place), store.ShowClaim(askID, "test")} {
			claim, err := w.Store.Hold(ctx, key, "test")
			var taken *store.HeldError
			if errors.As(err, &taken) {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			held = append(held, claim)
			mu.Unlock()
		}
		if err := w.Store.MarkShown(ctx, askID); err != nil {
			t.Error(err)
		}
	}
	leave = func() {
		mu.Lock()
		defer mu.Unlock()
		for _, claim := range held {
			if err := claim.Release(context.Background()); err != nil {
				t.Error(err)
			}
		}
		held = nil
	}
	return show, leave
}
