package sessionpage_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a browser may take for one step on a busy machine.
const patience = 60 * time.Second

// browser is a headless Chromium, as one test sees it.
type browser struct {
	t *testing.T
	*chromium
}

// chromium is what its tests share. They talk to it through two pipes, in
// the Chrome DevTools Protocol. Its requests to the network go to a server in
// this process, which records and refuses them.
type chromium struct {
	to      io.Writer
	session string
	network *network

	mu      sync.Mutex
	next    int
	replies map[int]chan reply
	events  []event
	news    chan struct{} // signals that events has grown
}

type reply struct {
	result json.RawMessage
	err    string
}

// event is a message that the browser sent unasked.
type event struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// network records every requested host and URL.
type network struct {
	mu    sync.Mutex
	asked []string
}

func (n *network) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, r.Host+" "+r.URL.String())
	http.Error(w, "nothing is here", http.StatusTeapot)
}

// about returns the recorded requests that contain the text.
func (n *network) about(text string) (list []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, asked := range n.asked {
		if strings.Contains(asked, text) {
			list = append(list, asked)
		}
	}
	return list
}

func startBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("chromium is not installed")
		}
		t.Skip("chromium is not installed")
	}
	b := &browser{t, &chromium{network: &network{}, replies: map[int]chan reply{}, news: make(chan struct{}, 1)}}
	proxy := httptest.NewServer(b.network)
	t.Cleanup(proxy.Close)
	_, port, err := net.SplitHostPort(proxy.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	home := browserHome(t)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
		"--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--hide-scrollbars", "--user-data-dir="+home, "--proxy-server=http://127.0.0.1:"+port, "--proxy-bypass-list=<-loopback>", "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+home)
	theirs, to := pipe(t)
	from, toUs := pipe(t)
	cmd.ExtraFiles = []*os.File{theirs, toUs} // file descriptors 3 and 4, as the protocol says
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range cmd.ExtraFiles {
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	b.to = to
	read := make(chan struct{})
	go func() {
		defer close(read)
		b.read(from)
	}()
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
		_ = to.Close()
		<-read
		_ = from.Close()
	})
	b.attach()
	return b
}

// in returns the same browser for a test inside the one that started it.
func (b *browser) in(t *testing.T) *browser { return &browser{t, b.chromium} }

// browserHome is a directory for the browser's files. The browser's helper
// processes write there until they notice, a little later, that it has ended.
// So the cleanup removes the directory until it stays away.
func browserHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "planb-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		again := time.NewTicker(50 * time.Millisecond)
		defer again.Stop()
		limit := time.After(patience)
		for {
			err := os.RemoveAll(home)
			if err == nil {
				return
			}
			select {
			case <-again.C:
			case <-limit:
				t.Error(err)
				return
			}
		}
	})
	return home
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// read splits what the browser sends into messages; each ends with a NUL.
func (b *browser) read(from io.Reader) {
	in := bufio.NewReader(from)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var message struct {
			event
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(text[:len(text)-1], &message) != nil {
			continue
		}
		b.mu.Lock()
		if waiting, ok := b.replies[message.ID]; ok && message.ID != 0 {
			r := reply{result: message.Result}
			if message.Error != nil {
				r.err = message.Error.Message
			}
			waiting <- r
			delete(b.replies, message.ID)
		} else {
			b.events = append(b.events, message.event)
			select {
			case b.news <- struct{}{}:
			default:
			}
		}
		b.mu.Unlock()
	}
}

// call has the browser run one method.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.mu.Lock()
	b.next++
	id, answer := b.next, make(chan reply, 1)
	b.replies[id] = answer
	b.mu.Unlock()
	text, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params, "sessionId": b.session})
	if b.session == "" {
		text, err = json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	select {
	case r := <-answer:
		if r.err != "" {
			b.t.Fatalf("%s: %s", method, r.err)
		}
		if result != nil {
			if err := json.Unmarshal(r.result, result); err != nil {
				b.t.Fatal(err)
			}
		}
	case <-time.After(patience):
		b.t.Fatalf("no answer to %s", method)
	}
}

type params map[string]any

// attach opens a page and subscribes to its events.
func (b *browser) attach() {
	b.t.Helper()
	var target struct {
		ID string `json:"targetId"`
	}
	b.call("Target.createTarget", params{"url": "about:blank"}, &target)
	var session struct {
		ID string `json:"sessionId"`
	}
	b.call("Target.attachToTarget", params{"targetId": target.ID, "flatten": true}, &session)
	b.session = session.ID
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		b.call(domain+".enable", params{}, nil)
	}
}

// see sets the width of the window and the colour scheme that the reader
// prefers.
func (b *browser) see(width int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", params{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.call("Emulation.setEmulatedMedia", params{"features": []params{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// open shows a page and waits until it has loaded.
func (b *browser) open(url string) {
	b.t.Helper()
	b.mu.Lock()
	b.events = nil
	b.mu.Unlock()
	b.call("Page.navigate", params{"url": url}, nil)
	limit := time.After(patience)
	for len(b.told("Page.loadEventFired")) == 0 {
		select {
		case <-b.news:
		case <-limit:
			b.t.Fatal("the page does not load")
		}
	}
}

// told returns the events of a method since the page was opened.
func (b *browser) told(method string) (list []event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		if e.Method == method {
			list = append(list, e)
		}
	}
	return list
}

// eval runs an expression in the page, as the browser's own developer tools
// would.
func (b *browser) eval(expression string, result any) {
	b.t.Helper()
	var out struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	b.call("Runtime.evaluate", params{"expression": expression, "returnByValue": true, "awaitPromise": true}, &out)
	if out.Exception != nil {
		b.t.Fatalf("%s: %s %s", expression, out.Exception.Text, out.Exception.Exception.Description)
	}
	if result != nil {
		if err := json.Unmarshal(out.Result.Value, result); err != nil {
			b.t.Fatalf("%s: %v", expression, err)
		}
	}
}

// picture saves a screenshot of the page, if PLANB_SHOTS names a directory for
// it.
func (b *browser) picture(name string, width int) {
	b.t.Helper()
	dir := os.Getenv("PLANB_SHOTS")
	if dir == "" {
		return
	}
	var shot struct {
		Data []byte `json:"data"`
	}
	b.call("Page.captureScreenshot", params{"captureBeyondViewport": true, "clip": params{"x": 0, "y": 0, "width": width, "height": 6000, "scale": 1}}, &shot)
	if err := os.WriteFile(fmt.Sprintf("%s/%s.png", dir, name), shot.Data, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
