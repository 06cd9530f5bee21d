package draft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"planb/cli/frame"
	"planb/drafts"
	"planb/drafts/command"
	"planb/drafts/endpoint"
	"planb/setup"
	"planb/store/runs"
)

// writer answers steps without an agent.
type writer interface {
	// write gets an answer to a step. check says what is wrong with an answer, and stores an
	// answer that is right.
	write(ctx context.Context, d drafts.Draft, step drafts.Step, check func(answer) error) error
	// atOnce is how many steps the writer writes at the same time.
	atOnce() int
	// close releases what the writer holds.
	close()
}

// answer is what a writer gives.
type answer struct {
	object  []byte
	by      string
	model   string
	in, out int // tokens; 0 if nobody told
	failed  []drafts.Attempt
}

// question is the text of a step that asks for a JSON object and nothing else.
func question(d drafts.Draft, step drafts.Step, limit int) (string, error) {
	return d.Frame(drafts.Ask{Step: step.ID, Limit: limit, Bare: true})
}

// program is the person's own program as a writer.
type program struct{ command.Program }

func (p program) write(ctx context.Context, d drafts.Draft, step drafts.Step, check func(answer) error) error {
	text, err := question(d, step, drafts.BareLimit)
	if err != nil {
		return err
	}
	by, began := filepath.Base(p.Argv[0]), time.Now()
	var failed []drafts.Attempt
	return p.Write(ctx, text, func(object []byte) error {
		problem := check(answer{object: object, by: by, failed: failed})
		if problem != nil {
			failed = append(failed, drafts.Attempt{At: began.UTC().Format(time.RFC3339), By: by, Outcome: firstProblem(problem), Took: time.Since(began).Milliseconds()})
			began = time.Now()
		}
		return problem
	})
}

func (program) atOnce() int { return 1 }

func (program) close() {}

// models are the models of a profile as a writer.
type models struct {
	*endpoint.Client
	most int
}

func (m models) write(ctx context.Context, d drafts.Draft, step drafts.Step, check func(answer) error) error {
	text, err := question(d, step, drafts.BareLimit)
	if err != nil {
		return err
	}
	q := endpoint.Question{}
	q.Rules, q.Text = drafts.SplitRules(text)
	short, err := question(d, step, drafts.WideFrameLimit)
	if err != nil {
		return err
	}
	if _, short = drafts.SplitRules(short); short != q.Text {
		q.Short = short
	}
	return m.Write(ctx, q, func(a endpoint.Answer) error {
		return check(answer{object: a.Object, by: a.Model, model: a.Model, in: a.In, out: a.Out, failed: attempts(a.Failed)})
	})
}

func (m models) atOnce() int { return m.most }

func (m models) close() { m.Close() }

// workersElsewhere is how many steps a server that is not on this machine writes at once.
const workersElsewhere = 4

// writer returns who writes a draft: the models of the profile that is named, or of the
// draft's own; else the person's program, else the models of the first profile.
func (c Commands) writer(plan runs.Whole, profileName string) (writer, error) {
	argv, err := c.Argv()
	if err != nil {
		return nil, err
	}
	e, err := c.Endpoint()
	if err != nil {
		return nil, err
	}
	name := cmp.Or(profileName, plan.Profile)
	profile, found := e.Profile(name)
	switch {
	case name != "" && !slices.Contains(drafts.Profiles(), name):
		return nil, frame.UsageError(fmt.Errorf("--profile is %q; allowed: %s", name, strings.Join(drafts.Profiles(), ", ")))
	case name != "" && !found:
		return nil, fmt.Errorf("the profile %s has no models; set draft.base_url and draft.profiles.%s.models with `planb config`, or have your agent go on with the draft", name, name)
	case name == "" && len(argv) > 0:
		dir, err := c.ProjectDir()
		return program{command.Program{Argv: argv, Dir: dir, Env: c.Env.Pairs()}}, err
	case !found:
		return nil, errors.New("no program is set that writes drafts; set your agent's command, as with `planb config set draft.command claude,-p`, or have your agent write the draft")
	}
	return c.models(e, profile)
}

// models returns the models of a profile as a writer.
func (c Commands) models(e setup.Endpoint, profile setup.Profile) (writer, error) {
	key := ""
	if e.KeyEnv != "" {
		if key = c.Env.Get(e.KeyEnv); key == "" {
			return nil, fmt.Errorf("the variable %s, which has the key of your server, is not set here; set it, and run the command again", e.KeyEnv)
		}
	}
	base, err := endpoint.ParseURL(e.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("the setting draft.base_url: %w", err)
	}
	client, err := endpoint.New(endpoint.Options{BaseURL: e.BaseURL, Key: key, Models: profile.Models, JSONObject: profile.JSONObject})
	if err != nil {
		return nil, fmt.Errorf("the server of draft.base_url: %w", err)
	}
	most := e.Workers
	switch {
	case most > 0:
	case endpoint.Loopback(base):
		most = 1
	default:
		most = workersElsewhere
	}
	return models{client, most}, nil
}

// failure is what the draft is told of a step that a writer could not write.
func failure(step drafts.Step, err error) (f runs.Failure, failed []drafts.Attempt) {
	f = runs.Failure{Reason: runs.GenerationError, Step: step.ID, Message: err.Error(), Recoverable: true}
	e, ok := errors.AsType[*endpoint.Error](err)
	if !ok {
		return f, nil
	}
	switch e.Kind {
	case endpoint.Denied:
		f.Reason = runs.WorkerError
	case endpoint.Silent:
		f.Reason = runs.InactivityTimeout
	}
	return f, attempts(e.Attempts)
}

// attempts are the calls of a server that failed, as the draft keeps them.
func attempts(failed []endpoint.Attempt) (list []drafts.Attempt) {
	for _, a := range failed {
		list = append(list, drafts.Attempt{At: a.At.Format(time.RFC3339), Model: a.Model, Outcome: a.Outcome, Took: a.Took, In: a.In, Out: a.Out})
	}
	return list
}

// firstProblem is the first line of what is wrong with an answer.
func firstProblem(err error) string {
	const most = 400
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.ToValidUTF8(line[:min(len(line), most)], "")
}

// hopeless reports whether no other step would go better.
func hopeless(err error) bool {
	e, ok := errors.AsType[*endpoint.Error](err)
	return ok && e.Kind == endpoint.Denied
}
