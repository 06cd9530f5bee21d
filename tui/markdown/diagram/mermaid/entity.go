package mermaid

import (
	"html"
	"strings"
)

// decodeEntities decodes entities in Mermaid's spelling (#35; and #quot;) and in
// HTML's (&#35; and &quot;).
func decodeEntities(s string) string {
	var out strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "#&")
		if i < 0 {
			break
		}
		out.WriteString(s[:i])
		s = s[i:]
		const longest = 14
		end := strings.IndexByte(s[:min(len(s), longest)], ';')
		if end < 2 {
			out.WriteByte(s[0])
			s = s[1:]
			continue
		}
		name := strings.TrimLeft(s[:end], "#&")
		decoded, ok := entity(name)
		if !ok {
			out.WriteByte(s[0])
			s = s[1:]
			continue
		}
		out.WriteString(decoded)
		s = s[end+1:]
	}
	return out.String() + s
}

// entity returns the text that an entity's name or number stands for.
func entity(name string) (string, bool) {
	written := "&" + name + ";"
	if strings.Trim(name, "0123456789") == "" || name[0] == 'x' && strings.Trim(name[1:], "0123456789abcdefABCDEF") == "" {
		written = "&#" + name + ";"
	}
	decoded := html.UnescapeString(written)
	if decoded == written || len(decoded) > 1 && strings.HasSuffix(decoded, ";") { // html decoded only the beginning of the name
		return "", false
	}
	return decoded, true
}
