package shape

import (
	"fmt"
	"strings"
)

// Schema returns the shape as a JSON Schema. Everything that Read accepts is valid under it
// in its stored form. Word limits are in descriptions, as JSON Schema knows no words.
func (s Shape) Schema(c Caps) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for _, f := range s {
		properties[f.Name] = f.schema(c)
		if !f.Optional {
			required = append(required, f.Name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func (f Field) schema(c Caps) map[string]any {
	if f.List {
		return map[string]any{"type": "array", "items": f.item().schema(c), "minItems": f.Min, "maxItems": f.Most(c)}
	}
	switch f.Kind {
	case Record:
		return f.Fields.Schema(c)
	case Map:
		return map[string]any{"type": "object", "additionalProperties": f.Fields[0].schema(c)}
	case Number, Decimal:
		kind := map[string]any{"type": "number"}
		if f.Kind == Number {
			kind["type"] = "integer"
		}
		if f.Min < f.Max {
			kind["minimum"], kind["maximum"] = f.Min, f.Max
		}
		return kind
	case Flag:
		return map[string]any{"type": "boolean"}
	case Choice:
		return map[string]any{"type": "string", "enum": f.Choices}
	case ID, Ref:
		return pattern(idPattern(f.Prefix))
	case Day:
		return pattern(`^\d{4}-\d{2}-\d{2}$`)
	case Link:
		return pattern(`^\d`)
	case When:
		return pattern(`^(\d{4}-\d{2}-\d{2}|Month (0|[1-9]\d{0,3})|[YM][1-9]\d{0,3})$`)
	}
	return map[string]any{"type": "string", "minLength": 1, "description": fmt.Sprintf("at most %d words", f.Words)}
}

func pattern(p string) map[string]any { return map[string]any{"type": "string", "pattern": p} }

func idPattern(prefix string) string {
	const number = `[1-9]\d{0,3}`
	if prefix == "" {
		return `^` + number + `(\.` + number + `)*$`
	}
	return `^` + strings.ToUpper(prefix) + number + `$`
}
