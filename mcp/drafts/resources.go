package drafts

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/drafts"
	"planb/drafts/report"
	"planb/mcp/tool"
	"planb/plainjson"
	"planb/store/runs"
)

// The URIs of resources. They are part of what planb promises.
const (
	draftsURI     = "planb://drafts"
	draftTemplate = draftsURI + "/{id}"
	graphTemplate = draftTemplate + "/graph.json"
	runTemplate   = draftTemplate + "/runs/{n}"
	fileTemplate  = draftTemplate + "/files/{+path}"
	oldTemplate   = oldURI + "{id}/{+path}"
	oldURI        = "planexe://task/"
)

// maxResource bounds what one read of a resource returns, in bytes.
const maxResource = 4 << 20

// Resources are drafts as resources. A draft that a connection may not see does not exist
// for it.
type Resources struct{ toolset }

// NewResources returns the drafts of a store as resources.
func NewResources(d Deps) *Resources { return &Resources{toolset{Deps: d}} }

// OfferOld adds the files of drafts under their old URIs.
func (s *Resources) OfferOld(sdkServer *server.MCPServer) {
	sdkServer.AddResourceTemplate(sdk.NewResourceTemplate(oldTemplate, "task-file",
		sdk.WithTemplateTitle("A file of a draft"), sdk.WithTemplateMIMEType("text/plain")), s.read)
}

// Offer adds the resources and their templates to the protocol's server.
func (s *Resources) Offer(sdkServer *server.MCPServer) {
	sdkServer.AddResource(sdk.NewResource(draftsURI, "drafts",
		sdk.WithResourceTitle("Drafts"), sdk.WithResourceDescription("The drafts of your project, the newest first."), sdk.WithMIMEType("application/json")), s.read)
	for _, t := range []struct{ uri, name, title, description, mime string }{
		{draftTemplate, "draft", "A draft", "How a draft stands.", "application/json"},
		{graphTemplate, "draft-graph", "The steps of a draft", "What each step needs, how it stands, and its hashes.", "application/json"},
		{runTemplate, "draft-run", "A run of a draft", "How the writing of a draft stands, or how an earlier run ended; the last five are kept.", "application/json"},
		{fileTemplate, "draft-file", "A file of a draft", "The report, a step's output, a table or the zip.", "text/plain"},
	} {
		sdkServer.AddResourceTemplate(sdk.NewResourceTemplate(t.uri, t.name,
			sdk.WithTemplateTitle(t.title), sdk.WithTemplateDescription(t.description), sdk.WithTemplateMIMEType(t.mime)), s.read)
	}
}

// read serves resources/read.
func (s *Resources) read(ctx context.Context, request sdk.ReadResourceRequest) ([]sdk.ResourceContents, error) {
	uri := request.Params.URI
	c, ok := tool.RequestFrom(ctx)
	if !ok {
		return nil, fmt.Errorf("%s was read outside a connection", uri)
	}
	f, err := s.resource(ctx, c, uri)
	if err != nil {
		return nil, err
	}
	contents, err := contentsOf(uri, f)
	if err != nil {
		return nil, err
	}
	return []sdk.ResourceContents{contents}, nil
}

// contentsOf is a file as the contents of a resource: the zip as base64, anything else as
// text. A file says in _meta how large it is, its hash and when it was made. It fails if the
// file is larger than maxResource.
func contentsOf(uri string, f file) (sdk.ResourceContents, error) {
	if len(f.data) > maxResource {
		return nil, fmt.Errorf("%s has %s bytes, and a resource at most %s; save it with plan_download", uri, tool.Grouped(len(f.data)), tool.Grouped(maxResource))
	}
	var facts map[string]any
	if !f.at.IsZero() {
		facts = map[string]any{"size": len(f.data), "sha256": drafts.Sum(f.data), "generated_at": f.at}
	}
	mime := typeOf(f.path)
	if f.path == zipPath {
		return sdk.BlobResourceContents{Meta: facts, URI: uri, MIMEType: mime, Blob: base64.StdEncoding.EncodeToString(f.data)}, nil
	}
	return sdk.TextResourceContents{Meta: facts, URI: uri, MIMEType: mime, Text: string(f.data)}, nil
}

// resource returns what a URI names.
func (s *Resources) resource(ctx context.Context, c *tool.Request, uri string) (file, error) {
	if old, is := strings.CutPrefix(uri, oldURI); is {
		id, path, _ := strings.Cut(old, "/")
		uri = uriOf(id, path)
	}
	path, ours := strings.CutPrefix(uri, draftsURI)
	switch {
	case !ours:
		return file{}, server.ErrResourceNotFound
	case path == "":
		return s.all(ctx, c)
	}
	id, path, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	w, err := s.Store.Drafts().Plan(ctx, id)
	if refused, ok := errors.AsType[*runs.Error](err); ok && refused.Code == runs.PlanNotFound {
		return file{}, server.ErrResourceNotFound
	}
	if err != nil {
		return file{}, err
	}
	if w.ID != runs.ExampleID {
		if seen, err := c.Agent.Sees(ctx, w.Session); err != nil || !seen {
			return file{}, errors.Join(err, server.ErrResourceNotFound)
		}
	}
	return s.below(ctx, w, path)
}

// all lists the drafts of the connection's project.
func (s *Resources) all(ctx context.Context, c *tool.Request) (file, error) {
	dirs := c.Agent.Dirs(ctx)
	if s.AllProjects {
		dirs = nil
	}
	list, err := drafted(ctx, s.Store.Drafts(), dirs, maxListed)
	if err != nil {
		return file{}, err
	}
	return inJSON(listedPlans(list))
}

// below is a plan, or what a path below it names.
func (s *Resources) below(ctx context.Context, w runs.Whole, path string) (file, error) {
	kind, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "":
		data, err := s.stand(ctx, w)
		if err != nil {
			return file{}, err
		}
		return inJSON(data)
	case path == "graph.json":
		return inJSON(report.Graph(w.Draft))
	case kind == "runs":
		return runOf(w, rest)
	case kind == "files":
		f, has, err := fileAt(w, rest)
		if !has {
			return file{}, server.ErrResourceNotFound
		}
		return f, err
	}
	return file{}, server.ErrResourceNotFound
}

// runOf is a run of a plan by its number.
func runOf(w runs.Whole, number string) (file, error) {
	for _, run := range append([]runs.Run{w.Run}, w.Earlier...) {
		if strconv.Itoa(run.Number) == number {
			return inJSON(run)
		}
	}
	return file{}, fmt.Errorf("RUN_NOT_FOUND: draft %s has no run %s that is kept; the newest is %d", w.ID, tool.Shortened(number), w.Number)
}

func inJSON(value any) (file, error) {
	data, err := plainjson.Indent(value, "  ")
	return file{path: "it.json", data: data}, err
}
