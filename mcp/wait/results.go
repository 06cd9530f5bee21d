package wait

import (
	"errors"
	"fmt"
	"strings"

	"planb/mcp/tool"
	"planb/mcp/wait/dialog"
	"planb/questions"
	"planb/store"
)

// standing is the data of a result that says only how an ask stands.
type standing struct {
	Standing
	tool.Facts
}

// results words asks for their agents.
type results struct {
	subject func(store.Ask) Subject
}

func (r results) words(ask store.Ask) Words { return r.subject(ask).Words(ask) }

// data is the ask as data; flags has what else is known of how it stands.
func (r results) data(ask store.Ask, flags Standing) tool.Data {
	flags.Session, flags.Ask, flags.Short = ask.Session, ask.ID, store.ShortID(ask.ID)
	flags.State, flags.Next = ask.Outcome.State, ask.Outcome.Next
	return r.subject(ask).Data(ask, flags)
}

// about is a result on an ask that has no outcome.
func (r results) about(ask store.Ask, text string, flags Standing) *tool.Result {
	return &tool.Result{Items: []string{text}, Session: ask.Session, Data: r.data(ask, flags), Ask: ask}
}

func (r results) pending(ask store.Ask) *tool.Result {
	return r.about(ask, fmt.Sprintf("NOT ANSWERED YET: %s First do what does not depend on it; "+
		"then call get_answer {\"askId\":%q}, which waits for the user.", r.words(ask).Open, ask.ID), Standing{})
}

// nowhere sends the person to a terminal, because no pane can be opened.
func (r results) nowhere(ask store.Ask, reason error) *tool.Result {
	return r.about(ask, fmt.Sprintf("NOT ANSWERED YET: no pane could be opened (%s). Tell the user exactly: "+
		"run  planb tui ask %s  in a terminal to answer. Then call get_answer {\"askId\":%q}.",
		tool.OneLine(reason.Error()), store.ShortID(ask.ID), ask.ID), Standing{Nowhere: true})
}

// closed is for a form that the person closed without answering.
func (r results) closed(ask store.Ask) *tool.Result {
	words := r.words(ask)
	return r.about(ask, fmt.Sprintf("NOT ANSWERED YET: the user closed the %s; what they entered is kept. Tell them: "+
		"run  planb tui ask %s  to go on. Then end your turn. The same %s again opens it again.",
		words.Form, store.ShortID(ask.ID), words.Tool), Standing{Closed: true})
}

// putOff is for a form that does not come up because the person put it off.
func (r results) putOff(ask store.Ask) *tool.Result {
	return r.about(ask, "NOT ANSWERED YET: the user put this off; it waits in their inbox. Go on with what does not depend on it, "+
		"tell them in one sentence at the end, and do not ask again.", Standing{PutOff: true, Nowhere: true})
}

func (r results) away(ask store.Ask) *tool.Result {
	return r.about(ask, fmt.Sprintf("NOT ANSWERED YET, and the user seems to be away. Tell them in one sentence that %s waits (planb tui ask %s), "+
		"then end your turn. When they write again, call get_answer {\"askId\":%q} once.",
		tool.Quoted(ask.Spec.Title), store.ShortID(ask.ID), ask.ID), Standing{Away: true})
}

func (r results) expired(ask store.Ask) *tool.Result {
	return r.about(ask, r.words(ask).Expired, Standing{})
}

// dialog is the client's dialog that may answer the ask. A form that a person began is
// answered on planb's own screen alone.
func (r results) dialog(ask store.Ask) (form dialog.Form, ok bool) {
	if ask.Own {
		return dialog.Form{}, false
	}
	return r.subject(ask).Dialog(ask)
}

// withdrawn says that the ask was taken back. It delivers no outcome.
func (r results) withdrawn(ask store.Ask) *tool.Result {
	return r.about(ask, r.subject(ask).Outcome(ask, tool.Uncut())[0], Standing{})
}

// unreadable is for an ask that the store cannot read, or does not have any more.
func unreadable(ask store.Ask, err error) *tool.Result {
	if errors.Is(err, errAskGone) {
		return tool.Failed(ask.Session, "The question is no longer in the store, as when the user goes back to a backup. Ask it again, if you still need the answer.")
	}
	return tool.Failed(ask.Session, fmt.Sprintf(
		"Whether the user has answered cannot be read: %s.%s The question is kept; call get_answer {\"askId\":%q} later.",
		tool.OneLine(err.Error()), tool.Remedy(err), ask.ID))
}

// unstored is for a reply in a client's dialog that the store does not take, or not yet.
func unstored(ask store.Ask, err error, yet bool) *tool.Result {
	if !yet {
		return tool.Failed(ask.Session, fmt.Sprintf(
			"The user has replied in a dialog of your client, but the reply cannot be stored, however often it is tried: %s. Tell them to run  planb tui ask %s  in a terminal and to answer there.",
			tool.OneLine(err.Error()), store.ShortID(ask.ID)))
	}
	return tool.Failed(ask.Session, fmt.Sprintf(
		"The user has replied in a dialog of your client, but the reply cannot be stored yet: %s.%s It is tried again for as long as this server runs; call get_answer {\"askId\":%q} later.",
		tool.OneLine(err.Error()), tool.Remedy(err), ask.ID))
}

// outcome carries the ask's final outcome.
func (r results) outcome(ask store.Ask) *tool.Result {
	return &tool.Result{Telling: r.telling(ask), Session: ask.Session, Data: r.data(ask, Standing{}), Ask: ask, Carries: []string{ask.ID}}
}

func (r results) telling(ask store.Ask) *tool.Telling {
	return &tool.Telling{
		Words:   func(c *tool.Cutter) []string { return r.subject(ask).Outcome(ask, c) },
		Session: ask.Session, About: ask.ID, Ask: ask.ID,
	}
}

// part tells a part of an outcome, from the character at offset on: of the piece with
// that name, or of the whole outcome if the name is empty.
//
// An outcome in which the person answered nothing has no parts: it is told as it is.
func (r results) part(ask store.Ask, name string, offset int) *tool.Result {
	if state := ask.Outcome.State; state != questions.Answered && state != questions.Discuss {
		return r.outcome(ask)
	}
	subject := r.subject(ask)
	piece, problem := tool.WholePiece(subject.Outcome(ask, tool.Uncut())), ""
	if name != "" {
		piece, problem = subject.Piece(ask, name)
	}
	if length := tool.Characters(piece.Text); problem == "" && offset > 0 && offset >= length {
		problem = fmt.Sprintf("offset is %d, and there are only %s characters.", offset, tool.Grouped(length))
	}
	if problem != "" {
		return tool.Failed(ask.Session, problem)
	}
	data := &standing{Standing: Standing{Session: ask.Session, Ask: ask.ID, Short: store.ShortID(ask.ID), State: ask.Outcome.State}}
	return &tool.Result{Session: ask.Session, Data: data, Ask: ask, Carries: []string{ask.ID}, Part: &tool.Part{Telling: r.telling(ask), Piece: piece, Offset: offset}}
}

// announcement tells an outcome that the agent has not learned yet. Its text begins with
// from, which says where the outcome is from, or is empty.
func (r results) announcement(ask store.Ask, from string) tool.Announcement {
	ended := from + "An earlier question was " + ask.Outcome.State.Standing(false).Short + " (askId " + ask.ID + ")"
	text := ended + ": " + strings.Join(r.subject(ask).Outcome(ask, tool.Uncut()), "\n")
	if about := r.words(ask).About; about != "" {
		text += "\n" + about
	}
	return tool.Announcement{
		Ask: ask, Data: r.data(ask, Standing{}), Text: text,
		Hint: fmt.Sprintf("%s. It is too long to be told here: call get_answer {\"askId\":%q}.", ended, ask.ID),
	}
}

// notAsked is for a question that could not be stored in the directory.
func notAsked(session, dir string, err error) *tool.Result {
	return tool.Failed(session, fmt.Sprintf("NOT ASKED: planb cannot write to %s (%s), so nothing was asked. "+
		"Tell your user exactly that; ask in the conversation what you must know.", dir, tool.OneLine(err.Error()))+tool.Remedy(err))
}

// tooMany refuses a question because the session has as many open ones as it may. due
// are the questions that the agent may wait for.
func tooMany(session string, open int, due []store.Ask) *tool.Result {
	text := fmt.Sprintf("%d questions of this session are open. Wait for answers (get_answer) or withdraw some; nothing was asked.", open)
	var ids []string
	for _, ask := range due {
		if ask.Open() {
			ids = append(ids, ask.ID)
		}
	}
	if len(ids) > 0 {
		text += " Their askIds: " + strings.Join(ids, ", ") + "."
	}
	return tool.Failed(session, text)
}
