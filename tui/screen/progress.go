package screen

import "strings"

// progressCells is the width of a bar that shows how much is done.
const progressCells = 10

// Progress draws how much of a whole is done.
func (st *Styles) Progress(done, of int) string {
	full := done * progressCells / max(of, 1)
	if done > 0 {
		full = max(full, 1)
	}
	style := st.Accent
	if done == of && of > 0 {
		style = st.Success
	}
	return style.Render(strings.Repeat("▰", full)) + st.Faint.Render(strings.Repeat("▱", progressCells-full))
}
