package mermaid

import (
	"encoding/json"
	"slices"
	"strings"

	"planb/tui/markdown/diagram/sequence"
)

// participant reads a declaration: "participant NAME as LABEL".
func (r *sequenceReader) participant(word, rest string) error {
	_, err := r.declare(word, rest)
	return err
}

// declare reads the declaration of a participant. The first mention of a name decides
// its place; a later declaration can still change its kind, label and box.
func (r *sequenceReader) declare(word, rest string) (int, error) {
	name, label := cutAs(rest)
	name, kind, alias, err := r.typed(name)
	if err != nil {
		return 0, err
	}
	i, err := r.named(word, name)
	if err != nil {
		return 0, err
	}
	p := r.People[i]
	p.Kind = word
	if kind != "" {
		p.Kind = kind
	}
	if label == "" {
		label = alias
	}
	if label != "" {
		p.Label = readText(label)
	}
	if r.group >= 0 && p.Group < 0 {
		p.Group = r.group
	}
	return i, nil
}

// cutAs cuts "NAME as LABEL". The name may have attributes behind it.
func cutAs(s string) (name, label string) {
	lower := strings.ToLower(s)
	from := 0
	if strings.Contains(s, "@{") {
		from = strings.Index(s, "}") + 1
	}
	for {
		i := strings.Index(lower[from:], "as")
		if i < 0 {
			return strings.TrimSpace(s), ""
		}
		at := from + i
		if at > 0 && isBlank(s[at-1]) && at+2 < len(s) && isBlank(s[at+2]) {
			return strings.TrimSpace(s[:at]), strings.TrimSpace(s[at+2:])
		}
		from = at + 2
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// typed reads the type and the alias from `NAME@{ "type": "database" }`.
func (r *sequenceReader) typed(s string) (name, kind, alias string, err error) {
	name, config, found := strings.Cut(s, "@{")
	if !found {
		return s, "", "", nil
	}
	var attributes struct{ Type, Alias string }
	if json.Unmarshal([]byte("{"+config), &attributes) != nil {
		return "", "", "", r.wrong("%s is not understood", quoted("@{"+config))
	}
	kinds := []string{"", "participant", "actor", "boundary", "control", "entity", "database", "collections", "queue"}
	if !slices.Contains(kinds, attributes.Type) {
		return "", "", "", r.wrong("a participant of the type %s is not known", quoted(attributes.Type))
	}
	return strings.TrimSpace(name), attributes.Type, attributes.Alias, nil
}

// create reads "create participant NAME". The next message creates the participant.
func (r *sequenceReader) create(_, rest string) error {
	word, rest := cutWord(rest)
	word = strings.ToLower(word)
	if word != "participant" && word != "actor" {
		word, rest = "participant", strings.TrimSpace(word+" "+rest)
	}
	name, _ := cutAs(rest)
	if name, _, _ = strings.Cut(name, "@{"); r.known(strings.TrimSpace(name)) {
		return r.wrong("%s is there already and can't be created", quoted(name))
	}
	if r.creating >= 0 {
		return r.wrong("no message creates %q", r.names[r.creating])
	}
	i, err := r.declare(word, rest)
	if err != nil {
		return err
	}
	r.creating, r.People[i].Created = i, true
	return nil
}

func (r *sequenceReader) known(name string) bool {
	_, known := r.byName[name]
	return known
}

// destroy reads "destroy NAME". The next message ends the participant.
func (r *sequenceReader) destroy(word, rest string) error {
	i, err := r.named(word, rest)
	switch {
	case err != nil:
		return err
	case r.destroying >= 0:
		return r.wrong("no message ends %q", r.names[r.destroying])
	case r.People[i].Destroyed:
		return r.wrong("%q is ended twice", rest)
	}
	r.destroying, r.People[i].Destroyed = i, true
	return nil
}

// box begins a box around the participants declared in it. It ignores the box's colour.
func (r *sequenceReader) box(_, rest string) error {
	if r.group >= 0 || len(r.open) > 0 {
		return r.wrong("a box cannot stand inside a frame or another box")
	}
	r.group = len(r.Groups)
	r.Groups = append(r.Groups, sequence.Group{Label: readText(withoutColour(rest)), First: -1})
	return nil
}

// placeGroups finds the first and the last participant of each box.
func (r *sequenceReader) placeGroups() error {
	for g := range r.Groups {
		group := &r.Groups[g]
		for i, p := range r.People {
			if p.Group != g {
				continue
			}
			if group.First < 0 {
				group.First = i
			} else if group.Last != i-1 {
				return r.wrong("the participants of the box %s do not stand beside each other", quoted(group.Label.String()))
			}
			group.Last = i
		}
	}
	return nil
}

// withoutColour removes the colour from the words of a box: "rgb(1,2,3) Words", "Aqua
// Words".
func withoutColour(s string) string {
	s = strings.TrimSpace(s)
	lower := strings.ToLower(s)
	for _, f := range []string{"rgb(", "rgba(", "hsl(", "hsla("} {
		if strings.HasPrefix(lower, f) {
			if _, rest, closed := strings.Cut(s, ")"); closed {
				return strings.TrimSpace(rest)
			}
		}
	}
	first, rest, _ := strings.Cut(s, " ")
	if first = strings.ToLower(first); isHexColour(first) || strings.Contains(colourNames, " "+first+" ") {
		return strings.TrimSpace(rest)
	}
	return s
}

func isHexColour(s string) bool {
	return len(s) >= 4 && s[0] == '#' && strings.Trim(s[1:], "0123456789abcdef") == ""
}

// colourNames holds the names of colours in CSS, and "transparent"; see
// https://www.w3.org/TR/css-color-4/#named-colors.
const colourNames = " transparent aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue " +
	"blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue " +
	"darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid " +
	"darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink " +
	"deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold " +
	"goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush " +
	"lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey " +
	"lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime " +
	"limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen " +
	"mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin " +
	"navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise " +
	"palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue " +
	"saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow " +
	"springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen "

// link reads a link or the properties of a participant. They are shown below the
// drawing.
func (r *sequenceReader) link(word, rest string) error {
	name, text, found := strings.Cut(rest, ":")
	if !found {
		return r.wrong("%q needs the name of a participant, and words", word)
	}
	i, err := r.named(word, strings.TrimSpace(name))
	if err != nil {
		return err
	}
	if len(r.Links) < maxSteps {
		r.Links = append(r.Links, r.People[i].Label.String()+": "+readText(text).String())
	}
	return nil
}
