package endpoint

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"planb/questions/lenient"
)

// Question is one step, as a model reads it.
type Question struct {
	Rules string // the system's message
	Text  string
	Short string // the text for a model whose context is too small for the whole one; empty: there is none
}

// Answer is what a model wrote.
type Answer struct {
	Object  []byte // a JSON object
	Model   string
	In, Out int // tokens, as the server told; 0 if it did not
	// Failed are the calls before this one.
	Failed []Attempt
}

// Attempt is one call that gave no accepted answer.
type Attempt struct {
	At      time.Time `json:"ts"`
	Model   string    `json:"model"`
	Outcome string    `json:"outcome"` // in words
	Took    int64     `json:"ms"`
	In      int       `json:"tokens_in,omitzero"`
	Out     int       `json:"tokens_out,omitzero"`
}

// Kind says what is to become of the draft.
type Kind uint8

// The kinds of failure.
const (
	Exhausted Kind = iota // no model wrote the step
	Silent                // no model wrote the step, and each was too slow
	Denied                // the server does not take the key; no other step would go better
)

// Error says why a step was not written.
type Error struct {
	Kind     Kind
	Attempts []Attempt
}

// Error says what the last attempt met.
func (e *Error) Error() string {
	last := e.Attempts[len(e.Attempts)-1]
	text := fmt.Sprintf("%s: %s", last.Model, last.Outcome)
	if n := len(e.Attempts); n > 1 {
		text += fmt.Sprintf(" (the last of %d attempts)", n)
	}
	return text
}

// Limits of one question to one model.
const (
	retries  = 2 // after a failure that may pass
	feedback = 2 // how often an answer that was not accepted goes back to the model
)

// Write has a model answer a question. accept says what is wrong with an answer. The error
// is an *Error, or that of ctx.
func (c *Client) Write(ctx context.Context, q Question, accept func(Answer) error) error {
	w := writing{c: c, question: q, accept: accept}
	for _, model := range c.models {
		done, err := w.ask(ctx, model)
		if done || err != nil {
			return err
		}
	}
	kind := Silent
	for _, slow := range w.slow {
		if !slow {
			kind = Exhausted
		}
	}
	return &Error{kind, w.attempts}
}

// writing is one call of Write.
type writing struct {
	c        *Client
	question Question
	accept   func(Answer) error
	attempts []Attempt
	slow     []bool // for each attempt, whether the server took too long
}

// ask asks one model until it has answered well, or is given up. An error ends Write.
func (w *writing) ask(ctx context.Context, model string) (done bool, err error) {
	text := w.question.Text
	talk := []message{{"system", w.question.Rules}, {"user", text}}
	tries, backs := 0, 0
	for {
		began := time.Now()
		r, err := w.c.complete(ctx, model, talk)
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		problem := err
		if err == nil {
			problem = w.judge(r, Answer{Model: model, In: r.in, Out: r.out, Failed: w.attempts})
		}
		if problem == nil {
			return true, nil
		}
		fault, faulty := errors.AsType[*fault](err)
		w.note(model, began, r, problem, faulty && fault.slow)
		switch {
		case !faulty && backs < feedback: // an answer that was not accepted
			backs++
			talk = append(talk[:2:2], message{"assistant", clip(r.text, maxBack)}, message{"user", correct(problem)})
		case !faulty:
			return false, nil
		case fault.denied:
			return false, &Error{Denied, w.attempts}
		case fault.tooLong && w.question.Short != "" && text != w.question.Short:
			text = w.question.Short
			talk = []message{{"system", w.question.Rules}, {"user", text}}
		case fault.passes && tries < retries:
			if err := sleep(ctx, w.c.wait(fault.after, tries)); err != nil {
				return false, err
			}
			tries++
		default:
			return false, nil
		}
	}
}

// maxBack bounds how much of a bad answer goes back, in bytes.
const maxBack = 64 << 10

func correct(problem error) string {
	return fmt.Sprintf("That was not accepted:\n%v\n\nAnswer with the whole corrected JSON object and nothing else.", problem)
}

// judge finds the object in a reply and has it accepted.
func (w *writing) judge(r reply, sent Answer) error {
	if r.cut {
		return fmt.Errorf("the answer was cut off after %d characters, because it is too long for the model; write less", len([]rune(r.text)))
	}
	object, found := lenient.LastObject([]byte(answerIn(r.text)))
	if !found {
		return errors.New("the answer has no JSON object")
	}
	sent.Object = object
	return w.accept(sent)
}

func (w *writing) note(model string, at time.Time, r reply, problem error, slow bool) {
	w.attempts = append(w.attempts, Attempt{at.UTC().Truncate(time.Second), model, w.c.secret.excerpt(problem.Error(), maxOutcome), time.Since(at).Milliseconds(), r.in, r.out})
	w.slow = append(w.slow, slow)
}

// maxOutcome bounds what an attempt says, in bytes.
const maxOutcome = 400

// wait is how long to wait before the next try: as the server says, else twice as long as
// before, ± 20 %, so that many clients do not come back at once.
func (c *Client) wait(told time.Duration, tries int) time.Duration {
	if told > 0 {
		return min(told, c.pace.Longest)
	}
	const spread = 0.2
	return time.Duration(float64(c.pace.Pause<<tries) * (1 - spread + 2*spread*rand.Float64()))
}
