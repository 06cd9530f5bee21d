package tui

import (
	"slices"
)

// walk does the actions that move the focus about the form.
func (s *formState) walk(act action) effect {
	switch act {
	case actLeft:
		s.leafTo(s.tab - 1)
	case actRight:
		s.leafTo(s.tab + 1)
	case actPrevTab:
		s.goTab(s.tab - 1)
	case actNextTab:
		s.goTab(s.tab + 1)
	case actHome:
		s.goTab(0)
	case actEnd:
		s.goTab(len(s.tabs) - 1)
	case actNext:
		s.next()
	case actPrev:
		s.prev()
	case actUp:
		s.neighbour(-1)
	case actDown:
		s.neighbour(1)
	case actEnter, actSpace:
		if s.zone == inTabs || s.zone == inBody && s.current() == nil {
			s.advance()
			return moved
		}
		return ignored
	default:
		return ignored
	}
	return moved
}

// goTab shows a tab, if there is one of that number. The focus stays on the
// strip or the buttons if it is there, else it goes to the question that last
// had it.
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
		e.enter(straight)
	}
}

// leafTo shows a tab by ← or →. Where these keys are the question's own, the
// focus stays on the strip: leafing through the tabs never stops in a text, and
// never sets a scale by the way.
func (s *formState) leafTo(tab int) {
	s.goTab(tab)
	if e := s.focused(); e != nil && !e.onNote && e.field.sideways() {
		s.leave()
		s.zone = inTabs
	}
}

// leave tells the question with the focus that it goes.
func (s *formState) leave() {
	if e := s.focused(); e != nil {
		e.leave()
		s.refresh()
	}
}

// leaveText closes the text that is being written, and what was open around it.
func (s *formState) leaveText() {
	for e := s.focused(); e != nil && e.text() != nil && e.close(); {
	}
	s.refresh()
}

// refresh forgets what the answers amount to: leaving "Other…" without a word
// un-picks it, which is no change to save.
func (s *formState) refresh() { s.revision++ }

// focusQuestion gives a question the focus, on whatever tab it is.
func (s *formState) focusQuestion(i int, w way) {
	s.leave()
	for tab, t := range s.tabs {
		if n := slices.Index(t.Questions, i); n >= 0 {
			s.tab, s.at[tab], s.zone = tab, n, inBody
			s.entries[i].enter(w)
		}
	}
}

// neighbour moves the focus to what lies above or below: questions of the tab,
// then the strip of tabs or the footer.
func (s *formState) neighbour(by int) {
	switch s.zone {
	case inTabs:
		if by > 0 {
			s.enterBody(fromAbove)
		}
	case inFooter:
		if by < 0 {
			s.enterBody(fromBelow)
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

func wayOf(by int) way {
	if by < 0 {
		return fromBelow
	}
	return fromAbove
}

// enterBody brings the focus back to the tab's questions, from above to the
// first and from below to the last.
func (s *formState) enterBody(w way) {
	s.zone = inBody
	in := s.tabs[s.tab].Questions
	if len(in) == 0 {
		return
	}
	switch w {
	case fromAbove:
		s.at[s.tab] = 0
	case fromBelow:
		s.at[s.tab] = len(in) - 1
	}
	s.current().enter(w)
}

func (s *formState) enterFooter(b button) {
	s.leave()
	s.zone, s.button = inFooter, b
}

// next is Tab: the tab's questions, then the buttons, then round to the strip.
func (s *formState) next() {
	switch s.zone {
	case inTabs:
		s.zone = inBody
		if in := s.tabs[s.tab].Questions; len(in) > 0 {
			s.focusQuestion(in[0], straight)
		}
	case inBody:
		in := s.tabs[s.tab].Questions
		if to := s.at[s.tab] + 1; to < len(in) {
			s.focusQuestion(in[to], straight)
			return
		}
		s.enterFooter(s.buttons()[0])
	case inFooter:
		all := s.buttons()
		if i := slices.Index(all, s.button) + 1; i < len(all) {
			s.button = all[i]
			return
		}
		s.toTop()
	}
}

// toTop brings the focus to the first thing of the form's tab.
func (s *formState) toTop() {
	if len(s.tabs) > 1 {
		s.zone = inTabs
		return
	}
	s.enterBody(fromAbove)
}

// prev is Shift+Tab.
func (s *formState) prev() {
	switch s.zone {
	case inTabs:
		all := s.buttons()
		s.enterFooter(all[len(all)-1])
	case inBody:
		in := s.tabs[s.tab].Questions
		if to := s.at[s.tab] - 1; to >= 0 && len(in) > 0 {
			s.focusQuestion(in[to], straight)
			return
		}
		s.neighbour(-1)
	case inFooter:
		all := s.buttons()
		if i := slices.Index(all, s.button); i > 0 {
			s.button = all[i-1]
			return
		}
		s.zone = inBody
		if in := s.tabs[s.tab].Questions; len(in) > 0 {
			s.focusQuestion(in[len(in)-1], straight)
		}
	}
}

// advance goes on to the next question, across tabs, and after the last one to
// Submit. An introduction is gone over by its tab's neighbour.
func (s *formState) advance() {
	if s.zone == inTabs {
		s.enterBody(fromAbove)
		return
	}
	in := s.tabs[s.tab].Questions
	if to := s.at[s.tab] + 1; to < len(in) {
		s.focusQuestion(in[to], straight)
		return
	}
	if s.tab+1 < len(s.tabs) {
		s.goTab(s.tab + 1)
		if in := s.tabs[s.tab].Questions; len(in) > 0 {
			s.focusQuestion(in[0], straight)
		}
		return
	}
	s.enterFooter(buttonSubmit)
}

// buttons are the footer's buttons that can be pressed here, from left to right.
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

// mainButton is the button that leads on.
func (s *formState) mainButton() button {
	switch {
	case s.tab+1 < len(s.tabs):
		return buttonNext
	case s.readOnly:
		return buttonMenu
	}
	return buttonSubmit
}

// pressButton does Back and Next; the others are the form's.
func (s *formState) pressButton(b button) {
	switch b {
	case buttonBack:
		s.goTab(s.tab - 1)
		s.enterBody(straight)
	case buttonNext:
		s.goTab(s.tab + 1)
		s.enterBody(fromAbove)
	}
}
