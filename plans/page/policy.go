package page

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Policy returns the Content-Security-Policy of a page with that one style element
// and nothing else.
func Policy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return strings.Join([]string{
		"default-src 'none'",
		"style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'",
		"base-uri 'none'",
		"form-action 'none'",
	}, "; ")
}
