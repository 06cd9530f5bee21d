package tasks

import (
	"context"
	"fmt"
	"slices"

	"planb/plans/tasks"
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

// draft is a plan about to be kept.
type draft struct {
	plan    tasks.Plan
	graph   *tasks.Graph
	content content
	blobs   []*ledger.Blob // of content.refs
}

// newDraft checks a plan and makes its chunks. The error is a *tasks.Error.
func newDraft(plan tasks.Plan) (*draft, error) {
	graph, err := tasks.Build(plan)
	if err != nil {
		return nil, err
	}
	d := &draft{plan: plan, graph: graph, content: content{Hash: graph.Hash()}}
	packed, err := d.blob("graph of tasks", graph.Pack())
	if err != nil {
		return nil, err
	}
	d.content.Graph = packed
	leaves, err := plan.Leaves()
	if err != nil {
		return nil, err
	}
	for _, l := range leaves {
		text, err := d.blob("list of tasks", l.Data)
		if err != nil {
			return nil, err
		}
		d.content.Leaves = append(d.content.Leaves, leaf{l.First, text})
	}
	return d, nil
}

func (d *draft) blob(what string, text []byte) (ledger.Ref, error) {
	b, err := ledger.NewBlob(what, text)
	if err != nil {
		return ledger.Ref{}, err
	}
	d.blobs = append(d.blobs, b)
	return b.Ref, nil
}

// keep makes the change refer to the draft's chunks. Those of the content before
// stay, because its record is checked and names them.
func (s *Store) keep(ctx context.Context, c *ledger.Change, d *draft, before content) error {
	kept := map[string]bool{}
	for _, ref := range before.refs() {
		kept[ref.Digest] = true
	}
	for _, b := range d.blobs {
		if kept[b.Ref.Digest] {
			continue
		}
		if err := s.ledger.Keep(ctx, c, b); err != nil {
			return err
		}
	}
	return nil
}

// graph reads the graph of a content.
func (s *Store) graph(ctx context.Context, t content) (*tasks.Graph, error) {
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
	return g, nil
}

// tasks reads those tasks of a content that stand in the leaves with the numbers;
// without numbers all of them.
func (s *Store) tasks(ctx context.Context, t content, g *tasks.Graph, numbers []int) ([]tasks.Task, error) {
	var leaves []leaf
	var refs []ledger.Ref
	for i, l := range t.Leaves {
		end := g.Len() + 1
		if i+1 < len(t.Leaves) {
			end = t.Leaves[i+1].First
		}
		if len(numbers) == 0 || slices.ContainsFunc(numbers, func(n int) bool { return n >= l.First && n < end }) {
			leaves, refs = append(leaves, l), append(refs, l.Text)
		}
	}
	texts, err := s.ledger.Texts(ctx, refs...)
	if err != nil {
		return nil, err
	}
	var list []tasks.Task
	for i, l := range leaves {
		some, err := tasks.ReadLeaf(l.First, texts[i])
		if err != nil {
			return nil, s.ledger.Damaged(ledger.ChunkKeys+kv.Key(l.Text.Digest), err)
		}
		for _, task := range some {
			if len(numbers) == 0 || slices.Contains(numbers, task.Number) {
				list = append(list, task)
			}
		}
	}
	g.Complete(list)
	return list, nil
}
