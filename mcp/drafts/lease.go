package drafts

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"planb/drafts"
	"planb/plans/tasks"
	"planb/store/ledger"
	"planb/store/runs"
)

// leaseTime is how long a step stays with its writer after the writer's last call about it.
const leaseTime = 10 * time.Minute

// leases keep two agents from writing one step. They are a courtesy only: which answer
// counts depends on the inputs from which it was written.
type leases struct {
	store Store
	log   *slog.Logger

	mu  sync.Mutex
	own map[string]*lease // by plan and step
	// told are the newest names of the leases that agents of this server were told, by plan
	// and step, until the step is written.
	told map[string][]string
}

// lease is a step that an agent of this server writes.
type lease struct {
	held   *ledger.Held
	byID   bool // the step was asked for by its id, as a sub-agent does
	who    string
	since  time.Time
	run    time.Time // when the run began in which the step was got: runs.Run.Pending
	expiry *time.Timer
}

// leaseDigits are the hexadecimal digits in a lease's name.
const leaseDigits = 6

// mostTold bounds the names of leases that are remembered of a step.
const mostTold = 8

// maxLease bounds the lease in a call.
const maxLease = 32

func leaseKey(plan, step string) string { return plan + "/" + step }

// leaseName names the inputs that a step is written from, so that its answer can be told
// from an answer to other inputs. It is a part of the text that the writer gets.
func leaseName(w runs.Whole, step drafts.Step) string {
	name := w.Draft.Inputs(step)[:leaseDigits]
	if w.Generation > 1 {
		name += "-" + strconv.Itoa(w.Generation)
	}
	return name
}

// generationOf is the generation in a lease's name.
func generationOf(name string) int {
	_, digits, _ := strings.Cut(name, "-")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 1
	}
	return n
}

// tell notes that an agent was told a lease of a step.
func (l *leases) tell(plan, step, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := leaseKey(plan, step)
	if told := l.told[key]; !slices.Contains(told, name) {
		l.told[key] = append(told[max(len(told)+1-mostTold, 0):], name)
	}
}

// knows reports whether an agent of this server was told the lease of a step.
func (l *leases) knows(plan, step, name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.told[leaseKey(plan, step)], name)
}

// of returns the step of a plan whose lease an agent of this server was told; empty if none was
// told that one.
func (l *leases) of(plan, name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, told := range l.told {
		if step, ok := strings.CutPrefix(key, leaseKey(plan, "")); ok && slices.Contains(told, name) {
			return step
		}
	}
	return ""
}

// mistaken reports whether nobody was told a lease of a step by that name. If this server told
// nobody a lease of the step, another server may have: then mistaken goes by what the name looks
// like.
func (l *leases) mistaken(w runs.Whole, step, name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if told := l.told[leaseKey(w.ID, step)]; len(told) > 0 {
		return !slices.Contains(told, name)
	}
	digits, _, _ := strings.Cut(name, "-")
	_, err := hex.DecodeString(digits)
	return err != nil || len(digits) != leaseDigits || generationOf(name) > w.Generation
}

// claim gives a step to an agent of this server, or says who has it. Anew reports that no
// agent of this server had it before.
func (l *leases) claim(ctx context.Context, w runs.Whole, step, who string, byID bool) (other string, anew bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	plan := w.ID
	key := leaseKey(plan, step)
	if own := l.own[key]; own != nil {
		own.expiry.Reset(leaseTime)
		own.byID = own.byID || byID
		return "", false
	}
	since := time.Now()
	held, err := l.store.Hold(context.WithoutCancel(ctx), runs.StepClaim(plan, step), runs.Writer{Name: who, Since: since}.Note())
	if taken, ok := errors.AsType[*ledger.HeldError](err); ok {
		return writing(step, runs.WriterOf(taken.Claim)), false
	}
	if err != nil {
		l.log.Warn("a step could not be claimed", "plan", plan, "step", step, "error", err)
		return "", false
	}
	l.add(plan, step, &lease{held: held, byID: byID, who: who, since: since, run: w.Pending})
	return "", true
}

// add notes that an agent of this server has a step, until it is silent for leaseTime.
func (l *leases) add(plan, step string, own *lease) {
	own.expiry = time.AfterFunc(leaseTime, func() { l.release(plan, step) })
	l.own[leaseKey(plan, step)] = own
}

// handover gives a step back and claims the next one, in the commit that accepts the
// answer to the first.
type handover struct {
	leases   *leases
	plan     string
	run      time.Time // see lease
	from     string
	who      string
	since    time.Time
	wants    bool // the writer wants a next step
	claiming *ledger.Claiming
	next     string // the step that is claimed; empty for none
}

// handOver returns the handover of a step. End must follow.
func (l *leases) handOver(w runs.Whole, from, who string, wants bool) *handover {
	since := time.Now()
	return &handover{leases: l, plan: w.ID, run: w.Pending, from: from, who: who, since: since, wants: wants, claiming: l.store.Claiming(runs.Writer{Name: who, Since: since}.Note())}
}

// put adds the handover to a change. Ready are the steps that can be written after it.
func (h *handover) put(ctx context.Context, c *ledger.Change, ready []drafts.Step) error {
	h.next = ""
	h.leases.mu.Lock()
	defer h.leases.mu.Unlock()
	if own := h.leases.own[leaseKey(h.plan, h.from)]; own != nil {
		if err := own.held.Delete(ctx, c); err != nil {
			return err
		}
	}
	for _, step := range ready {
		switch own := h.leases.own[leaseKey(h.plan, step.ID)]; {
		case !h.wants, own != nil && !own.byID:
			return nil // nothing is to be claimed, or it is claimed already
		case own != nil, step.Author != drafts.Model:
			continue
		}
		err := h.claiming.Put(ctx, c, runs.StepClaim(h.plan, step.ID))
		if errors.As(err, new(*ledger.HeldError)) {
			continue
		}
		h.next = step.ID
		return err
	}
	return nil
}

// end notes what became of the handover.
func (h *handover) end(ctx context.Context, accepted bool) {
	l := h.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	if !accepted || h.next == "" {
		h.claiming.Cancel()
	}
	if !accepted {
		return
	}
	delete(l.told, leaseKey(h.plan, h.from))
	if own := l.own[leaseKey(h.plan, h.from)]; own != nil {
		delete(l.own, leaseKey(h.plan, h.from))
		own.expiry.Stop()
		own.held.Stop()
	}
	if h.next != "" {
		l.add(h.plan, h.next, &lease{held: h.claiming.Held(context.WithoutCancel(ctx)), who: h.who, since: h.since, run: h.run})
	}
}

// writing says who writes a step, and since when.
func writing(step string, w runs.Writer) string {
	text := step + " is being written by " + w.Name
	if !w.Since.IsZero() {
		text += " (" + tasks.Lasted(time.Since(w.Since)) + ")"
	}
	return text
}

// release gives a step back.
func (l *leases) release(plan, step string) {
	l.mu.Lock()
	own := l.own[leaseKey(plan, step)]
	delete(l.own, leaseKey(plan, step))
	l.mu.Unlock()
	if own == nil {
		return
	}
	own.expiry.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), leaseTime)
	defer cancel()
	if err := own.held.Release(ctx); err != nil {
		l.log.Warn("the claim of a step could not be given back", "plan", plan, "step", step, "error", err)
	}
}

// dropEarlier gives back the steps of a plan that agents of this server got in a run before this
// one: the end of that run ended their claims.
func (l *leases) dropEarlier(w runs.Whole) {
	var steps []string
	l.mu.Lock()
	for key, own := range l.own {
		if step, of := strings.CutPrefix(key, leaseKey(w.ID, "")); of && own.run.Before(w.Pending) {
			steps = append(steps, step)
		}
	}
	l.mu.Unlock()
	for _, step := range steps {
		l.release(w.ID, step)
	}
}

// ofSubAgent reports whether an agent of this server asked for the step by its id.
func (l *leases) ofSubAgent(plan, step string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.own[leaseKey(plan, step)]
	return own != nil && own.byID
}

// has reports whether an agent of this server writes the step.
func (l *leases) has(plan, step string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.own[leaseKey(plan, step)] != nil
}

// allWriting says who writes each step, in the order of the steps' ids.
func allWriting(writers map[string]runs.Writer) (list []string) {
	for _, step := range slices.Sorted(maps.Keys(writers)) {
		list = append(list, writing(step, writers[step]))
	}
	return list
}

// busy says who writes each step that is being written.
func (s *toolset) busy(ctx context.Context, plan string) (list []string) {
	writers, err := s.Store.Drafts().Writers(ctx, plan)
	if err != nil {
		s.Log.Warn("who writes a draft could not be read", "plan", plan, "error", err)
		return nil
	}
	return allWriting(writers)
}

// age is how long an agent of this server has had the step; 0 if none has it.
func (l *leases) age(plan, step string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own := l.own[leaseKey(plan, step)]; own != nil {
		return time.Since(own.since)
	}
	return 0
}
