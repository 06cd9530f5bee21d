package diagram

import (
	"html"
	"strings"
)

// decodeEntities decodes #35; and #quot; as Mermaid writes them, and &#35; and
// &quot;.
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

// entity is what the name or the number of an entity stands for.
func entity(name string) (string, bool) {
	written := "&" + name + ";"
	if strings.Trim(name, "0123456789") == "" || name[0] == 'x' && strings.Trim(name[1:], "0123456789abcdefABCDEF") == "" {
		written = "&#" + name + ";"
	}
	decoded := html.UnescapeString(written)
	if decoded == written || len(decoded) > 1 && strings.HasSuffix(decoded, ";") { // only its beginning is one
		return "", false
	}
	return decoded, true
}
