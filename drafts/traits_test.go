package drafts

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// If a pattern matches a text, the traits of the text say that it can.
func TestNoPatternIsLeftOut(t *testing.T) {
	t.Parallel()
	p := Draft{}.patterns()
	all := []string{
		"2027-06-18", "18.6.2027", "18. 6. 27", "8/6/2027", "3rd of May", "12. März 2027", "5 de mayo", "d'août 2027", "June 18th, 2027", "Jun. 2027", "Q3 2027", "Q1/27",
		"by", "in", "2027", "1999", "im-2027", "17:15", "7.30", "9h05", "5 pm", "5p.m", "5am", "Month 12", "Y3", "M2", "C1", "T4", "COVID-19", "A4", "é7", "12,000", "3 120",
		"EUR", "may", "5", " ", "  ", "-", ".", ",", "(", "m", "p", "th", "\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(all), 1, 8).Draw(t, "parts"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		traits := p.traits(text)
		can := map[*regexp.Regexp]bool{p.year(): traits.year, p.clock(): traits.clock, p.relative(): traits.relative, p.named(): traits.named, p.amount(): traits.digit}
		for i, date := range p.dates {
			can[date()] = traits.dated(i)
		}
		for pattern, can := range can {
			if pattern.MatchString(text) && !can {
				t.Fatalf("%q matches %s, but has the traits %+v", text, pattern, traits)
			}
		}
	})
}
