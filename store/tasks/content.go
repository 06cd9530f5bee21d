package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// content says where the tasks of a plan are: chunks that all plans share. The
// record names each chunk, so that no sweep takes it.
type content struct {
	Hash   tasks.Hash `json:"hash"`
	Graph  ledger.Ref `json:"graph"`
	Leaves []leaf     `json:"leaves"`
}

// leaf is the text of some tasks with adjacent numbers; see tasks.Leaf.
type leaf struct {
	First int        `json:"first"`
	Text  ledger.Ref `json:"text"`
}

// refs are the texts of the content.
func (t content) refs() []ledger.Ref {
	refs := []ledger.Ref{t.Graph}
	for _, leaf := range t.Leaves {
		refs = append(refs, leaf.Text)
	}
	return refs
}

func (t content) same(other content) bool {
	return slices.EqualFunc(t.refs(), other.refs(), func(a, b ledger.Ref) bool { return a.Digest == b.Digest })
}

// version is a plan with the chunks that keep it.
type version struct {
	plan    tasks.Plan
	graph   *tasks.Graph
	content content
	blobs   []*ledger.Blob // of content.refs, those that are not written yet, in any order
}

// newVersion checks a plan and makes its chunks. The error is a *tasks.Error.
func newVersion(plan tasks.Plan) (*version, error) {
	v := &version{plan: plan}
	var unkept error
	var group sync.WaitGroup
	group.Go(func() { unkept = v.cut() }) // meanwhile, because both write and hash all texts
	graph, err := tasks.Build(plan)
	if err == nil {
		err = unparted(plan)
	}
	group.Wait()
	if err == nil {
		err = unkept
	}
	if err != nil {
		return nil, err
	}
	v.graph, v.content.Hash = graph, graph.Hash()
	v.content.Graph, err = v.blob("graph of tasks", graph.Pack())
	return v, err
}

// cut makes the chunks of the plan's tasks.
func (v *version) cut() error {
	for _, l := range v.plan.Leaves() {
		text, err := v.blob("list of tasks", l.Data)
		if err != nil {
			return err
		}
		v.content.Leaves = append(v.content.Leaves, leaf{l.First, text})
	}
	return nil
}

// unparted refuses a text with the line that parts a plan's text from its tasks: a review
// of it would be split in the wrong place.
func unparted(plan tasks.Plan) error {
	texts := []safe.Text{plan.Title, plan.Description}
	for _, t := range plan.Tasks {
		texts = append(texts, t.Description, t.Done)
	}
	for _, text := range texts {
		if strings.Contains(text.Raw(), tasks.TasksBelow) {
			return tasks.InvalidBecause("tasks", fmt.Sprintf("a text has the line %q, which separates a plan from its tasks in a review; remove that line", tasks.TasksBelow))
		}
	}
	return nil
}

func (v *version) blob(what string, text []byte) (ledger.Ref, error) {
	b, err := ledger.NewBlob(what, text)
	if err != nil {
		return ledger.Ref{}, err
	}
	v.blobs = append(v.blobs, b)
	return b.Ref, nil
}

// keep makes the change refer to the chunks of the version. It skips chunks of the content
// before: the change checks the record that names them, so no sweep takes them.
func (s *Store) keep(ctx context.Context, c *ledger.Change, v *version, before content) error {
	kept := map[string]bool{}
	for _, ref := range before.refs() {
		kept[ref.Digest] = true
	}
	var texts []*ledger.Blob
	for _, b := range v.blobs {
		if !kept[b.Ref.Digest] {
			texts = append(texts, b)
		}
	}
	return s.ledger.Keep(ctx, c, texts...)
}

// graph reads the graph of a content.
func (s *Store) graph(ctx context.Context, t content) (*tasks.Graph, error) {
	if g, ok := s.cache.get(t.Graph.Digest).(*tasks.Graph); ok {
		return g, nil
	}
	texts, err := s.ledger.Texts(ctx, t.Graph)
	if err != nil {
		return nil, err
	}
	g, err := tasks.Unpack(texts[0])
	if err == nil && g.Hash() != t.Hash {
		err = fmt.Errorf("its hash is %.12s, and %.12s was written", g.Hash(), t.Hash)
	}
	if err != nil {
		return nil, s.ledger.Damaged(ledger.ChunkKeys+kv.Key(t.Graph.Chunks()[0]), err)
	}
	s.cache.put(t.Graph.Digest, g, t.Graph.Size)
	return g, nil
}

// leaf reads the tasks of a leaf, without their edges. The caller must not change them.
func (s *Store) leaf(ctx context.Context, l leaf) ([]tasks.Task, error) {
	found, err := s.leaves(ctx, l)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// leavesAtOnce is how many leaves are read at once: as many as an engine always gives.
const leavesAtOnce = 7

// leaves is leaf for several.
func (s *Store) leaves(ctx context.Context, list ...leaf) ([][]tasks.Task, error) {
	found := make([][]tasks.Task, len(list))
	var unread []int
	for i, l := range list {
		some, ok := s.cache.get(l.Text.Digest).([]tasks.Task)
		if found[i] = some; !ok {
			unread = append(unread, i)
		}
	}
	for some := range slices.Chunk(unread, leavesAtOnce) {
		refs := make([]ledger.Ref, len(some))
		for i, at := range some {
			refs[i] = list[at].Text
		}
		texts, err := s.ledger.Texts(ctx, refs...)
		if err != nil {
			return nil, err
		}
		for i, at := range some {
			l := list[at]
			if found[at], err = tasks.ReadLeaf(l.First, texts[i]); err != nil {
				return nil, s.ledger.Damaged(ledger.ChunkKeys+kv.Key(l.Text.Digest), err)
			}
			s.cache.put(l.Text.Digest, found[at], l.Text.Size)
		}
	}
	return found, nil
}

// kept returns a stored plan as a version that has nothing left to write.
func (s *Store) kept(ctx context.Context, t content) (*version, error) {
	g, err := s.graph(ctx, t)
	if err != nil {
		return nil, err
	}
	list, err := s.tasks(ctx, t, g, nil)
	if err != nil {
		return nil, err
	}
	if !g.Of(list) {
		return nil, s.ledger.Damaged(ledger.ChunkKeys+kv.Key(t.Graph.Chunks()[0]), errors.New("its tasks have other hashes"))
	}
	return &version{plan: tasks.Plan{Title: g.Title(), Description: g.Description(), Tasks: list}, graph: g, content: t}, nil
}

// leafOf returns the leaf that task n stands in.
func (t content) leafOf(n int) (l leaf, ok bool) {
	at, found := slices.BinarySearchFunc(t.Leaves, n, func(l leaf, n int) int { return cmp.Compare(l.First, n) })
	if !found {
		at--
	}
	if at < 0 {
		return leaf{}, false
	}
	return t.Leaves[at], true
}

// tasks reads those tasks of a content with the numbers; without numbers all of them.
func (s *Store) tasks(ctx context.Context, t content, g *tasks.Graph, numbers []int) ([]tasks.Task, error) {
	leaves := t.Leaves
	if len(numbers) > 0 {
		read := map[int]bool{}
		for _, n := range numbers {
			if l, ok := t.leafOf(n); ok {
				read[l.First] = true
			}
		}
		leaves = slices.DeleteFunc(slices.Clone(leaves), func(l leaf) bool { return !read[l.First] })
	}
	found, err := s.leaves(ctx, leaves...)
	if err != nil {
		return nil, err
	}
	var list []tasks.Task
	for _, some := range found {
		if len(numbers) == 0 {
			list = append(list, some...)
			continue
		}
		for i := range some { // a task takes hundreds of bytes
			if slices.Contains(numbers, some[i].Number) {
				list = append(list, some[i])
			}
		}
	}
	g.Complete(list)
	return list, nil
}
