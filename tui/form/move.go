package form

import (
	"slices"

	"planb/questions"
	"planb/tui/form/field"
	"planb/tui/keymap"
)

// walk does the actions that move the focus in the form.
func (s *formState) walk(act keymap.Action) keymap.Effect {
	switch act {
	case keymap.Left:
		s.leafTo(s.tab - 1)
	case keymap.Right:
		s.leafTo(s.tab + 1)
	case keymap.PrevTab:
		s.goTab(s.tab - 1)
	case keymap.NextTab:
		s.goTab(s.tab + 1)
	case keymap.Home:
		s.goTab(0)
	case keymap.End:
		s.goTab(len(s.tabs) - 1)
	case keymap.Next:
		s.next()
	case keymap.Prev:
		s.prev()
	case keymap.Up:
		s.neighbour(-1)
	case keymap.Down:
		s.neighbour(1)
	case keymap.Enter, keymap.Space:
		if s.zone == inTabs || s.zone == inBody && s.current() == nil {
			s.advance()
			return keymap.Moved
		}
		return keymap.Ignored
	default:
		return keymap.Ignored
	}
	return keymap.Moved
}

// goTab shows a tab, if it exists. If the tabs or the buttons have the focus, they keep
// it; else the focus goes to the tab's question that had it last.
func (s *formState) goTab(tab int) {
	if tab < 0 || tab >= len(s.tabs) || tab == s.tab {
		return
	}
	s.leave()
	s.tab = tab
	if s.zone == inFooter && !slices.Contains(s.buttons(), s.button) {
		s.button = s.mainButton()
	}
	if e := s.focused(); e != nil {
		e.enter(field.Straight)
	}
}

// leafTo shows a tab by ← or →. If the question there uses these keys itself, the focus
// stays on the tabs. So a person who leafs through the tabs never stops in a text and
// never changes a scale.
func (s *formState) leafTo(tab int) {
	s.goTab(tab)
	if e := s.focused(); e != nil && !e.onNote && e.field.Sideways() {
		s.leave()
		s.zone = inTabs
	}
}

// leave tells the question with the focus that it loses it.
func (s *formState) leave() {
	if e := s.focused(); e != nil {
		e.leave()
		s.refresh()
	}
}

// leaveText closes the text being written, and everything open around it. It returns false if what
// was typed in the question with the focus is no answer.
func (s *formState) leaveText() (whole bool) {
	e := s.focused()
	for e != nil && e.text() != nil && e.close() {
	}
	s.refresh()
	return e == nil || e.leaveField()
}

// refresh makes the form compute its answers again without saving. This is for changes
// that leave the entry as it is, such as leaving an empty "Other…", which un-picks it.
func (s *formState) refresh() { s.revision++ }

// focusQuestion gives a question the focus, and shows its tab.
func (s *formState) focusQuestion(i int, w field.Way) {
	s.leave()
	for tab, t := range s.tabs {
		if n := slices.Index(t.Questions, i); n >= 0 {
			s.tab, s.at[tab], s.zone = tab, n, inBody
			s.controls[i].enter(w)
		}
	}
}

// neighbour moves the focus up or down: through the questions of the tab, then to the
// tabs above or the footer below.
func (s *formState) neighbour(by int) {
	switch s.zone {
	case inTabs:
		if by > 0 {
			s.enterFirst()
		}
	case inFooter:
		if by < 0 {
			s.enterLast(field.FromBelow)
			if e := s.focused(); e != nil {
				e.onNote = false // the person wants the question
			}
		}
	case inBody:
		in := s.tabs[s.tab].Questions
		to := s.at[s.tab] + by
		switch {
		case len(in) > 0 && to >= 0 && to < len(in):
			s.focusQuestion(in[to], wayOf(by))
		case by < 0 && len(s.tabs) > 1:
			s.leave()
			s.zone = inTabs
		case by > 0:
			s.enterFooter(s.mainButton())
		}
	}
}

func wayOf(by int) field.Way {
	if by < 0 {
		return field.FromBelow
	}
	return field.FromAbove
}

// enterFirst and enterLast move the focus to the tab's first and last question.
// enterBody moves it to the question that had it last. On a tab without questions the
// introduction gets it.
func (s *formState) enterFirst()           { s.enterAt(0, field.Straight) }
func (s *formState) enterLast(w field.Way) { s.enterAt(len(s.tabs[s.tab].Questions)-1, w) }
func (s *formState) enterBody()            { s.enterAt(s.at[s.tab], field.Straight) }

func (s *formState) enterAt(n int, w field.Way) {
	in := s.tabs[s.tab].Questions
	if len(in) == 0 {
		s.zone = inBody
		return
	}
	s.focusQuestion(in[n], w)
}

func (s *formState) enterFooter(b button) {
	s.leave()
	s.zone, s.button = inFooter, b
}

// next does Tab: it goes to the next question, after the last one to Submit, from there
// along the buttons, and then to the top.
func (s *formState) next() {
	if s.zone != inFooter {
		s.advance()
		return
	}
	all := s.buttons()
	if i := slices.Index(all, s.button) + 1; i < len(all) {
		s.button = all[i]
		return
	}
	s.toTop()
}

// toTop moves the focus to the first thing of the tab.
func (s *formState) toTop() {
	if len(s.tabs) > 1 {
		s.zone = inTabs
		return
	}
	s.enterFirst()
}

// prev does Shift+Tab: it goes back along the buttons, the questions and the tabs, then
// to the tab before. It skips "‹ Back": if a person who goes back to the last question
// presses Enter too early, they must not come to another tab.
func (s *formState) prev() {
	switch s.zone {
	case inTabs:
		if s.tab > 0 {
			s.goTab(s.tab - 1)
			s.enterLast(field.Straight)
		}
	case inBody:
		in := s.tabs[s.tab].Questions
		if to := s.at[s.tab] - 1; to >= 0 && len(in) > 0 {
			s.focusQuestion(in[to], field.Straight)
			return
		}
		s.neighbour(-1)
	case inFooter:
		all := s.buttons()
		if i := slices.Index(all, s.button) - 1; i >= 0 && all[i] != buttonBack {
			s.button = all[i]
			return
		}
		s.enterLast(field.Straight)
	}
}

// advance goes on to the next question, across tabs, and after the last one to
// Submit. From a tab with only an introduction it goes to the next tab.
func (s *formState) advance() {
	switch {
	case s.zone == inTabs:
		s.enterFirst()
	case s.at[s.tab]+1 < len(s.tabs[s.tab].Questions):
		s.focusQuestion(s.tabs[s.tab].Questions[s.at[s.tab]+1], field.Straight)
	case s.tab+1 < len(s.tabs):
		s.goTab(s.tab + 1)
		s.enterFirst()
	default:
		s.enterFooter(s.mainButton())
	}
}

// choiceNext reports whether a question that one digit answered goes on by itself: if the
// next question of the tab is a choice, or if both are scales of radio buttons. So a digit
// never lands in a text, nor changes a scale by mistake.
func (s *formState) choiceNext(e *control) bool {
	in, to := s.tabs[s.tab].Questions, s.at[s.tab]+1
	if to >= len(in) {
		return false
	}
	switch next := s.controls[in[to]].q; next.Kind {
	case questions.Single, questions.Multi:
		return true
	default:
		return field.HasRadios(e.q) && field.HasRadios(next)
	}
}

// buttons returns the footer's buttons of this tab, from left to right.
func (s *formState) buttons() []button {
	var all []button
	if s.tab > 0 {
		all = append(all, buttonBack)
	}
	if s.tab+1 < len(s.tabs) {
		all = append(all, buttonNext)
	}
	if !s.readOnly {
		all = append(all, buttonSubmit)
	}
	return append(all, buttonSummary, buttonMenu)
}

// mainButton returns the button that leads on: Submit once every question is answered. Behind
// the last tab of what is only read, that is the page with all answers.
func (s *formState) mainButton() button {
	switch {
	case s.complete():
		return buttonSubmit
	case s.tab+1 < len(s.tabs):
		return buttonNext
	case s.readOnly:
		return buttonSummary
	}
	return buttonSubmit
}

// pressButton does Back and Next. The questionnaire does the other buttons.
func (s *formState) pressButton(b button) {
	switch b {
	case buttonBack:
		s.goTab(s.tab - 1)
		s.enterBody()
	case buttonNext:
		s.goTab(s.tab + 1)
		s.enterFirst()
	}
}
