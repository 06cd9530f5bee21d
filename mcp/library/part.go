package library

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/tool"
	"planb/setup/known"
)

// restTemplate is the URI of the rest of a resource that is too long for one reading.
const restTemplate = sessionsURI + "{+path}{?offset}"

// resourceRoom is the size of the words about the rest of a resource, without its URI.
const resourceRoom = 500

// splitOffset splits the URI of a part of a resource into the resource's URI and the
// offset.
func splitOffset(uri string) (whole string, offset int, ok bool) {
	whole, query, parted := strings.Cut(uri, "?")
	if !parted {
		return uri, 0, true
	}
	values, err := url.ParseQuery(query)
	if err != nil || len(values) != 1 {
		return "", 0, false
	}
	offset, err = strconv.Atoi(values.Get("offset"))
	return whole, offset, err == nil && offset >= 0
}

// resourcePart returns the part of a resource that begins at that character. The part
// is as long as the client passes on, and says where the rest is.
func (l *Library) resourcePart(ctx context.Context, c *tool.Request, uri, text, mime string, offset int) ([]sdk.ResourceContents, error) {
	length := tool.Characters(text)
	if offset > 0 && offset >= length {
		return nil, fmt.Errorf("offset is %d, and there are only %s characters", offset, tool.Grouped(length))
	}
	most := known.BySelfName(c.Agent.Client(ctx).Name.Raw()).ResultLimit(false)
	part := tool.From(text, offset)
	if tool.Size(part) <= most {
		return []sdk.ResourceContents{sdk.TextResourceContents{URI: uri, MIMEType: mime, Text: part}}, nil
	}
	part = tool.Fitting(part, most-resourceRoom-tool.Size(uri))
	end := offset + tool.Characters(part)
	next := fmt.Sprintf("%s?offset=%d", uri, end)
	return []sdk.ResourceContents{
		sdk.TextResourceContents{URI: uri, MIMEType: mime, Text: part},
		sdk.TextResourceContents{URI: next, MIMEType: "text/plain", Text: fmt.Sprintf(
			"%s is longer than clients pass on: these are the characters up to %s of %s. Read on at %s.%s",
			uri, tool.Grouped(end), tool.Grouped(length), next, l.copyOf(uri, text))},
	}, nil
}

// copyOf says where the readable copy of a plan's version is, if there is one. Reading a
// resource writes no copy.
func (l *Library) copyOf(uri, text string) string {
	r, ok := parseURI(uri)
	if !ok || r.plan == 0 {
		return ""
	}
	path := l.copies.Path(r.session, r.plan)
	there, err := os.ReadFile(path)
	if err != nil || string(there) != text || tool.Size(path) > resourceRoom/2 {
		return ""
	}
	return fmt.Sprintf(" All of it: %s.", path)
}
