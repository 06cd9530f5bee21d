package planning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"planb/mcp/tool"
	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/store"
)

// lastReview is the last review of a plan; zero if there is none.
type lastReview struct {
	ask  store.Ask
	said review.Review
}

// lastReview finds the last review of the plan in its session.
func (s *toolset) lastReview(ctx context.Context, session string, plan plans.Name) (lastReview, error) {
	last, err := s.Store.LastReview(ctx, session, plan)
	if err != nil {
		return lastReview{}, err
	}
	if last.ID == "" {
		return lastReview{}, nil
	}
	said, err := reviewed(last)
	if err != nil { // by a later planb
		s.Log.Warn("a review cannot be read", "ask", last.ID, "error", err)
	}
	return lastReview{last, said}, nil
}

// has reports whether a comment of the review has the id.
func (l lastReview) has(id string) bool {
	return slices.ContainsFunc(l.said.Comments, func(c review.Comment) bool { return c.ID == id })
}

// approves reports whether the review approved the text with that digest.
func (l lastReview) approves(digest string) bool {
	return l.said.Approved() && cmp.Or(l.said.Edited, l.said.Digest) == digest
}

// approvedBefore says that the user approved exactly this text, without notes.
func (l lastReview) approvedBefore(plan store.Plan) string {
	if l.said.Verdict != review.Approve || !l.approves(plan.Digest) {
		return ""
	}
	return fmt.Sprintf("The user had approved exactly this text before (askId %s), and nothing has changed since: it needed no new review.", l.ask.ID)
}

// lacks ends a sentence about a comment's id that the review does not have.
func (l lastReview) lacks() string {
	switch {
	case l.ask.ID == "":
		return "but the user has not finished a review of this plan yet"
	case len(l.said.Comments) == 0:
		return "but the user made no comments in their last review of this plan"
	}
	return "which is no comment of the user's last review of this plan; those are " + l.places()
}

// places lists the review's comments, each by its id and where it is.
func (l lastReview) places() string {
	var places []string
	for _, c := range l.said.Comments {
		places = append(places, fmt.Sprintf("%s (%s)", c.ID, strings.ToLower(c.Place())))
	}
	return strings.Join(places, ", ")
}

// standing says how a version that was just written stands: that another version waits for
// the user's review, or was approved, and which notes of the approval are still open. It is
// empty if none of this holds.
func (s *toolset) standing(ctx context.Context, plan store.Plan) string {
	waits, err := s.underReview(ctx, plan)
	if err != nil {
		s.Log.Warn("whether the plan is under review could not be looked up", "session", plan.Session, "error", err)
	}
	last, err := s.lastReview(ctx, plan.Session, plan.Name)
	if err != nil {
		s.Log.Warn("whether the plan was approved could not be looked up", "session", plan.Session, "error", err)
	}
	if !last.said.Verdict.Approves() {
		return waits
	}
	return tool.Join(waits, last.lapsed(plan), last.open())
}

// underReview says that another version of the plan waits for the user's review.
func (s *toolset) underReview(ctx context.Context, plan store.Plan) (string, error) {
	due, err := s.Store.Due(ctx, plan.Session)
	if err != nil {
		return "", err
	}
	for _, ask := range due {
		of := ask.Spec.Plan
		if of != nil && of.Name == string(plan.Name) && ask.Open() && of.Digest != plan.Digest {
			return fmt.Sprintf("Version %d waits for the user's review (askId %s), and that is what they read. They read version %d only when you submit it with submit_plan.",
				of.Number, ask.ID, plan.Number), nil
		}
	}
	return "", nil
}

// tellMovedOn adds a note for each review in a result whose plan was changed during the
// review: its line numbers and its verdict are those of the version that was submitted.
func (s *toolset) tellMovedOn(ctx context.Context, _ *tool.Caller, answer *tool.Result) {
	if answer.IsError {
		return
	}
	for _, ask := range answer.Tells() {
		of, said := ask.Spec.Plan, reviewIn(ask)
		if said == nil || said.Edited != "" {
			continue
		}
		latest, err := s.latestVersion(ctx, ask.Session, *of)
		if err != nil {
			s.Log.Warn("whether a plan was changed during its review could not be looked up", "session", ask.Session, "error", err)
			continue
		}
		if latest.Number <= of.Number || latest.Digest == of.Digest {
			continue
		}
		last, err := s.lastReview(ctx, ask.Session, plans.Name(of.Name)) // a later one, if the agent reads an older outcome again
		if err != nil {
			s.Log.Warn("whether the plan was approved could not be looked up", "session", ask.Session, "error", err)
		}
		lapses := said.Verdict.Approves() && !last.approves(latest.Digest)
		answer.Notes = append(answer.Notes, movedOnText(of.Number, latest.Number, lapses))
	}
}

// tellApprovalStands rewords a result on a review without a verdict, if the user approved
// exactly that text in an earlier review.
func (s *toolset) tellApprovalStands(ctx context.Context, _ *tool.Caller, answer *tool.Result) {
	if answer.Ask.About() != store.AboutPlan || hasSpoken(answer.Ask) {
		return
	}
	of := answer.Ask.Spec.Plan
	last, err := s.lastReview(ctx, answer.Ask.Session, plans.Name(of.Name))
	if err != nil {
		s.Log.Warn("whether the plan was approved could not be looked up", "session", answer.Ask.Session, "error", err)
		return
	}
	if !last.approves(of.Digest) {
		return
	}
	stands := fmt.Sprintf("user's approval of exactly this text (askId %s) stands.", last.ask.ID)
	answer.Reword(strings.NewReplacer(carryOutNone, "The "+stands, notApproved, "the "+stands))
}

// latestVersion is the last version of the plan in its session.
func (s *toolset) latestVersion(ctx context.Context, session string, of questions.PlanRef) (latest store.Plan, err error) {
	list, err := s.Store.Plans(ctx, session)
	for _, plan := range list {
		if string(plan.Name) == of.Name && plan.Err == nil {
			latest = plan
		}
	}
	return latest, err
}

// movedOnText is about a plan whose latest version is not the reviewed one. lapses says that the
// reviewed one was approved and the latest was not.
func movedOnText(reviewed, latest int, lapses bool) string {
	text := fmt.Sprintf("You changed the plan while it was reviewed: version %d is the latest, and the line numbers are those of version %d.", latest, reviewed)
	if lapses {
		text += fmt.Sprintf(" Version %d is NOT approved: submit it before you carry it out.", latest)
	}
	return text
}

// lapsed says that the user approved another text than the plan's, or only a part of it.
func (l lastReview) lapsed(plan store.Plan) string {
	approved, which := l.said.Digest, fmt.Sprintf("version %d of this plan", l.ask.Spec.Plan.Number)
	if l.said.Edited != "" {
		approved, which = l.said.Edited, "this plan as they had edited it"
	}
	part := len(l.said.Withheld) > 0
	switch {
	case approved == plan.Digest && part:
		return "The user approved " + which + " in part only: carry out none of the sections that begin in lines " + numbers(l.said.Withheld) + "."
	case approved == plan.Digest:
		return ""
	case part:
		which += " in part only"
	}
	return fmt.Sprintf("The user approved %s; version %d is NOT approved: submit it before you carry it out.", which, plan.Number)
}

func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// open lists the notes of an approval. They stay open until the next review, where the user
// sees what became of them.
func (l lastReview) open() string {
	if l.said.Verdict != review.ApproveWithNotes || len(l.said.Comments) == 0 {
		return ""
	}
	return "Notes of the approval that are still open: " + l.places() + ". When they are carried out, submit the plan again, with their ids in done."
}
