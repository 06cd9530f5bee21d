package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options describe an endpoint, and which of its models write.
type Options struct {
	BaseURL    string   // "http://localhost:11434/v1": without user, query and fragment
	Key        string   // sent as a bearer token; empty: none
	Models     []string // in this order: the next one is asked if one fails
	JSONObject bool     // asks for response_format json_object

	Pace Pace
}

// Pace is how long a Client waits. A field that is 0 has the default.
type Pace struct {
	Silence time.Duration // without a byte of the answer; 90 s
	Call    time.Duration // for one answer in all; 10 min
	Pause   time.Duration // before the second try, and twice as long before the third; 1 s
	Longest time.Duration // the longest wait that a server may ask for; 60 s
}

// The defaults of Pace.
const (
	silence = 90 * time.Second
	call    = 10 * time.Minute
	pause   = time.Second
	longest = time.Minute
)

// Client asks the models of one endpoint.
type Client struct {
	url     string
	secret  secret
	models  []string
	json    bool
	pace    Pace
	session *http.Client
}

// New returns a Client. It opens no connection.
func New(o Options) (*Client, error) {
	base, err := ParseURL(o.BaseURL)
	switch {
	case err != nil:
		return nil, err
	case len(o.Models) == 0:
		return nil, errors.New("no model is named")
	case o.Key != "" && base.Scheme == "http" && !Loopback(base):
		return nil, fmt.Errorf("the key would go to %s unencrypted; use https, or a server on this machine", base.Host)
	case strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("the key has a character that no key has, such as a space or a line break")
	}
	p := o.Pace
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{{&p.Silence, silence}, {&p.Call, call}, {&p.Pause, pause}, {&p.Longest, longest}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 30 * time.Second,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:   true,
		IdleConnTimeout:     silence,
	}
	return &Client{
		url: base.JoinPath("chat", "completions").String(), secret: secret(o.Key), models: o.Models, json: o.JSONObject, pace: p,
		session: &http.Client{
			Transport: keyed{secret(o.Key), transport},
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse // the key and the plan go where the person said
			},
		},
	}, nil
}

// Close ends the connections that are idle.
func (c *Client) Close() { c.session.CloseIdleConnections() }

// ParseURL reads the URL of an endpoint.
func ParseURL(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" {
		return nil, errors.New(`it is no URL of a server; allowed: http or https with a host, such as "http://localhost:11434/v1"`)
	}
	if base.User != nil || base.RawQuery != "" || base.ForceQuery || base.Fragment != "" {
		return nil, errors.New("it has a user, a password, a query or a fragment; the key belongs into a variable, whose name is draft.key_env")
	}
	return base, nil
}

// Loopback reports whether a URL names this machine.
func Loopback(base *url.URL) bool {
	host := base.Hostname()
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// String names the endpoint, without its key.
func (c *Client) String() string { return c.url }

// GoString is String, so that no verb of fmt prints the key.
func (c *Client) GoString() string { return c.url }

type secret string

// hidden replaces the key wherever an answer or an error has it.
const hidden = "[key]"

func (s secret) redact(text string) string {
	if s == "" {
		return text
	}
	return strings.NewReplacer(string(s), hidden, url.QueryEscape(string(s)), hidden).Replace(text)
}

// excerpt is the beginning of a text, without the key. A text that is shortened first may
// end in a part of the key, which nothing recognizes any more.
func (s secret) excerpt(text string, most int) string { return clip(s.redact(text), most) }

// keyed adds the key to each request as it goes out. No other code sees a request with it.
type keyed struct {
	key  secret
	next *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.key != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+string(k.key))
	}
	return k.next.RoundTrip(r)
}

// CloseIdleConnections is what http.Client calls.
func (k keyed) CloseIdleConnections() { k.next.CloseIdleConnections() }

// sleep waits, unless ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
