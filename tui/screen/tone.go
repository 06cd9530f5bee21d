package screen

// Tone says how a message is meant. A style shows it, and a glyph for screens without
// colour.
type Tone uint8

// The tones of messages.
const (
	ToneCalm Tone = iota
	ToneGood
	ToneWarn
	ToneBad
)

// Glyph shows the tone without colour, with a blank behind it; empty if it is calm.
func (t Tone) Glyph() string {
	switch t {
	case ToneGood:
		return "✓ "
	case ToneWarn:
		return "◆ "
	case ToneBad:
		return "▲ "
	}
	return ""
}

// Toned draws a text in the colour of a tone.
func (st *Styles) Toned(t Tone, text string) string {
	switch t {
	case ToneGood:
		return st.Success.Render(text)
	case ToneWarn:
		return st.Warning.Render(text)
	case ToneBad:
		return st.Danger.Render(text)
	}
	return st.Info.Render(text)
}
