package tasks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"planb/plans/tasks"
	"planb/questions/lenient"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// Project is a project with how many tasks its plans have.
type Project struct {
	tasks.Project
	Tasks   int       `json:"tasks"`
	Created time.Time `json:"created"`
	// Own says that it was made in the caller's directory, in a list of projects.
	Own bool `json:"-"`
	// Err is why the record cannot be read, in a list that names it nevertheless.
	// Then only ID is set.
	Err error `json:"-"`
}

type projectRecord struct {
	ledger.Header
	Project
	Owner string `json:"owner"`
}

// pointer is the value of a key that leads to a project.
type pointer struct {
	ledger.Header
	Project string `json:"project"`
}

// CreateProject makes a project in the caller's directory. The project can be used at once.
// If slug is empty, CreateProject makes it from the name, and adds a number if another project
// has that slug. The error is a *tasks.Error if another project has the name, in any letter
// case, or the given slug. It is also one if there are as many projects as the limit allows.
func (s *Store) CreateProject(ctx context.Context, by Caller, name, slug string) (Project, error) {
	if err := s.owned(); err != nil {
		return Project{}, err
	}
	project, err := readProject(name, slug)
	if err != nil {
		return Project{}, err
	}
	if project.ID, err = s.ledger.NewID(); err != nil {
		return Project{}, err
	}
	if by.Dir != "" {
		project.Path = s.options.Root(by.Dir)
	}
	err = s.commit(ctx, by, project.ID, func(c *ledger.Change) (Event, error) {
		begins(c, by)
		return Event{Action: ProjectCreated}, s.addProject(ctx, c, by, project)
	})
	if err != nil {
		return Project{}, err
	}
	records, err := s.ledger.Get(ctx, projectKey(project.ID))
	if err != nil {
		return Project{}, err
	}
	record, err := ledger.Decode[projectRecord](s.ledger, records[0])
	return record.Project, err
}

// readProject checks a name and a slug; the slug may be empty.
func readProject(name, slug string) (tasks.Project, error) {
	var problems lenient.Problems
	name, slug = strings.Join(strings.Fields(name), " "), strings.TrimSpace(slug)
	switch {
	case safe.New(name).Blank():
		problems.Add("name", "nothing", "a text that names the project", `"Shop"`)
	case len(name) > tasks.MaxNameBytes:
		problems.Add("name", fmt.Sprintf("a text of %d bytes", len(name)), fmt.Sprintf("at most %d bytes", tasks.MaxNameBytes), "")
	}
	if slug != "" && lenient.Slug(slug, tasks.MaxSlugBytes) != slug {
		problems.Add("slug", lenient.Quote(slug), fmt.Sprintf("1 to %d bytes of small letters and digits, with single - between", tasks.MaxSlugBytes), `"shop"`)
	}
	if len(problems) > 0 {
		return tasks.Project{}, tasks.Invalid(problems)
	}
	return tasks.Project{Name: safe.New(name), Slug: slug}, nil
}

func (s *Store) addProject(ctx context.Context, c *ledger.Change, by Caller, project tasks.Project) error {
	owner := s.options.Owner
	name := nameKey(owner, project.Name.Raw())
	found, err := s.ledger.GetEach(ctx, name, projectsKey)
	if err != nil {
		return err
	}
	taken, count := found[0], found[1]
	if taken.Err != nil {
		return taken.Err
	}
	if taken.Exists() {
		return s.nameTaken(ctx, by, taken.Record)
	}
	c.Check(taken.Record)
	slug, err := s.freeSlug(ctx, c, project)
	if err != nil {
		return err
	}
	project.Slug = slug
	if err := s.use(c, count, s.projectsQuota(), 1); err != nil {
		return err
	}
	record := projectRecord{ledger.NewHeader(), Project{Project: project, Created: s.ledger.Clock()}, owner}
	c.Check(kv.Record{Key: projectKey(project.ID)})
	to := pointer{ledger.NewHeader(), project.ID}
	return errors.Join(c.Put(projectKey(project.ID), record), c.Put(name, to), c.Put(slugKey(owner, slug), to))
}

// nameTaken refuses a name that a project has.
func (s *Store) nameTaken(ctx context.Context, by Caller, name kv.Record) error {
	to, err := ledger.Decode[pointer](s.ledger, name)
	if err != nil {
		return err
	}
	project, err := s.project(ctx, to.Project)
	if err != nil {
		return err
	}
	if !s.sees(by, project.Path) {
		return tasks.NameTakenElsewhere(project.Project.Project)
	}
	return tasks.NameTaken(project.Project.Project)
}

// freeSlug returns the project's slug, or one made from its name, and has the change
// depend on its being free.
func (s *Store) freeSlug(ctx context.Context, c *ledger.Change, project tasks.Project) (string, error) {
	var failed error
	free := map[string]kv.Record{}
	taken := func(slug string) bool {
		records, err := s.ledger.Get(ctx, slugKey(s.options.Owner, slug))
		if err != nil {
			failed = errors.Join(failed, err)
			return false
		}
		free[slug] = records[0]
		return records[0].Exists()
	}
	wanted := project.Slug
	if wanted == "" {
		wanted = lenient.Slug(project.Name.Raw(), tasks.MaxSlugBytes)
	}
	if wanted == "" {
		wanted = "project" // of a name without a letter or digit
	}
	slug := tasks.FreeSlug(wanted, taken)
	switch {
	case failed != nil:
		return "", failed
	case project.Slug != "" && slug != project.Slug:
		return "", tasks.SlugTaken(project.Slug, slug)
	}
	c.Check(free[slug])
	return slug, nil
}

// project reads a project of any owner. A missing one is *ledger.UnknownError.
func (s *Store) project(ctx context.Context, id string) (projectRecord, error) {
	records, err := s.ledger.Get(ctx, projectKey(id))
	if err != nil {
		return projectRecord{}, err
	}
	return s.readProject(records[0])
}

// readProject decodes a project. A missing one is *ledger.UnknownError.
func (s *Store) readProject(r kv.Record) (projectRecord, error) {
	if !r.Exists() {
		return projectRecord{}, &ledger.UnknownError{What: "project", ID: ledger.LastPart(r.Key)}
	}
	return ledger.Decode[projectRecord](s.ledger, r)
}

// Projects returns the owner's projects: first those that were made in the caller's
// directory, then the others, each the oldest first.
func (s *Store) Projects(ctx context.Context, by Caller) ([]Project, error) {
	if err := s.owned(); err != nil {
		return nil, err
	}
	var own, others []Project
	err := s.ledger.Each(ctx, projectKeys, func(f ledger.Found) error {
		record, err := ledger.DecodeFound[projectRecord](s.ledger, f)
		switch {
		case ledger.AboutOne(err):
			others = append(others, Project{Project: tasks.Project{ID: ledger.LastPart(f.Key)}, Err: err})
		case err != nil:
			return err
		case record.Owner != s.options.Owner:
		case s.sees(by, record.Path):
			record.Own = true
			own = append(own, record.Project)
		default:
			others = append(others, record.Project)
		}
		return nil
	})
	return append(own, others...), err
}

// Resolve returns the project with that id or, for the empty id, the oldest one that
// was made in the caller's directory. The error is a *tasks.Error, project.not_found,
// if there is none, and for a project of which the caller would find no plan.
func (s *Store) Resolve(ctx context.Context, by Caller, id string) (Project, error) {
	if err := s.owned(); err != nil {
		return Project{}, err
	}
	if id != "" {
		return s.resolveID(ctx, by, id)
	}
	list, err := s.Projects(ctx, by)
	if err != nil {
		return Project{}, err
	}
	for _, project := range list {
		if project.Own {
			return project, nil
		}
	}
	return Project{}, tasks.ProjectNotFound("")
}

func (s *Store) resolveID(ctx context.Context, by Caller, id string) (Project, error) {
	canonical, ok := ledger.CanonicalID(id)
	if !ok {
		return Project{}, tasks.ProjectNotFound(id)
	}
	record, err := s.project(ctx, canonical)
	if _, unknown := errors.AsType[*ledger.UnknownError](err); unknown || err == nil && record.Owner != s.options.Owner {
		return Project{}, tasks.ProjectNotFound(id)
	}
	if err == nil && !s.sees(by, record.Path) {
		return Project{}, tasks.ProjectElsewhere(record.Name)
	}
	return record.Project, err
}

// mark is the value of a key that says everything itself.
type mark struct{}
