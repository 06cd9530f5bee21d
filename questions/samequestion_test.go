package questions_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"planb/questions"
	"planb/questions/safe"
)

// asked makes a question from its id, kind, label and options.
func asked(id string, kind questions.Kind, label string, options ...string) questions.Question {
	q := questions.Question{ID: id, Kind: kind, Label: safe.New(label)}
	for _, o := range options {
		value, shown, _ := strings.Cut(o, "=")
		q.Options = append(q.Options, questions.Option{Value: safe.New(value), Label: safe.New(shown)})
	}
	if kind == questions.Scale {
		q.Range = &questions.Range{Min: 1, Max: 5, Step: 1}
	}
	return q
}

func TestSameQuestion(t *testing.T) {
	const text, long, single, multi, scale = questions.Text, questions.LongText, questions.Single, questions.Multi, questions.Scale
	for name, test := range map[string]struct {
		earlier, now questions.Question
		same         bool
	}{
		"the same": {asked("db", single, "Which database?", "pg"), asked("db", single, "Which database?", "pg"), true},
		"the same words with another id, case, spaces and punctuation": {
			asked("q1", single, "Which  database, please?"), asked("storage", single, "which database — please"), true},
		"the same words with an emoji and emphasis":     {asked("a", text, "🚀 **Which** `database`?"), asked("b", text, "Which database?"), true},
		"the same words, chosen and chosen among":       {asked("a", single, "Which one?"), asked("b", multi, "Which one?"), true},
		"the same words, one line and many":             {asked("a", text, "Anything else?"), asked("b", long, "Anything else?"), true},
		"the same words, written and chosen":            {asked("db", text, "Which database?"), asked("db", single, "Which database?"), false},
		"the same words, a number and a text":           {asked("n", scale, "How many?"), asked("n", text, "How many?"), false},
		"other signs":                                   {asked("a", text, "Which C++ standard?"), asked("b", text, "Which C# standard?"), false},
		"other numbers":                                 {asked("a", text, "Step 1?"), asked("b", text, "Step 2?"), false},
		"no words at all":                               {asked("a", text, "???"), asked("b", text, "!!!"), false},
		"words without spaces":                          {asked("a", text, "どのデータベースを使いますか？"), asked("b", text, "どのデータベースを使いますか"), true},
		"an id that tells, a word in common":            {asked("database", single, "Which database?"), asked("database", single, "Where do the orders go: a database?"), true},
		"an id that tells, nothing in common":           {asked("database", single, "Which database?", "pg"), asked("database", single, "Shall it be dumped?", "yes"), false},
		"an id that tells, an option in common":         {asked("storage", single, "Which database?", "pg=Postgres"), asked("storage", single, "Where shall it live?", "postgres"), true},
		"other ids that tell, other words":              {asked("database", single, "Which database?"), asked("databases", single, "Which database is it?"), false},
		"an id that says nothing, other words":          {asked("q1", single, "Which database?"), asked("q1", single, "Which framework?"), false},
		"an id that says nothing, most words":           {asked("q1", single, "Which database should we use?"), asked("q1", single, "Which database do you want?"), true},
		"a name, of something else":                     {asked("name", text, "What is the project called?"), asked("name", text, "What is the file called?"), false},
		"a name, of the same":                           {asked("name", text, "What is the file called?"), asked("name", text, "What should the file be called?"), true},
		"an id that says nothing, an option in common":  {asked("confirm", single, "May I push?", "yes", "no"), asked("confirm", single, "May I delete it?", "yes", "no"), false},
		"an id that says nothing, no word with meaning": {asked("q1", single, "Which one?"), asked("q1", single, "Which ones?"), false},
		"a review":                 {questions.Question{ID: "review", Kind: questions.Review, Label: safe.New("x")}, questions.Question{ID: "review", Kind: questions.Review, Label: safe.New("x")}, false},
		"a kind that is not known": {asked("a", "map", "Where?"), asked("a", "map", "Where?"), false},
		"apostrophes of two kinds": {asked("a", text, "What's next?"), asked("b", text, "What’s next?"), true},
		"an id that is counted, of which the words tell": {asked("database_2", single, "Which database?"), asked("database_2", single, "Which one of them: a database?"), true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.now.SameAs(test.earlier); got != test.same {
				t.Errorf("same: %v, want %v", got, test.same)
			}
			if got := test.earlier.SameAs(test.now); got != test.same {
				t.Errorf("the other way round: %v, want %v", got, test.same)
			}
		})
	}
}

func TestRefit(t *testing.T) {
	const text, long, single, multi, scale = questions.Text, questions.LongText, questions.Single, questions.Multi, questions.Scale
	other := func(q questions.Question) questions.Question {
		q.Other = true
		return q
	}
	ends := func(q questions.Question, from, to, step float64) questions.Question {
		q.Range = &questions.Range{Min: from, Max: to, Step: step}
		return q
	}
	one, many, number := questions.TextValue, questions.ItemsValue, questions.NumberValue
	for name, test := range map[string]struct {
		earlier questions.Question
		answer  questions.Value
		now     questions.Question
		fit     questions.Value
		whole   bool
	}{
		"a text":                           {asked("a", text, "?"), one("x y"), asked("a", text, "?"), one("x y"), true},
		"a line as a long text":            {asked("a", text, "?"), one("x"), asked("a", long, "?"), one("x"), true},
		"a long text of one line":          {asked("a", long, "?"), one("x"), asked("a", text, "?"), one("x"), true},
		"a long text of two":               {asked("a", long, "?"), one("x\ny"), asked("a", text, "?"), questions.Value{}, false},
		"an option":                        {asked("a", single, "?", "pg", "my"), one("my"), asked("a", single, "?", "my", "lite"), one("my"), true},
		"an option that is gone":           {asked("a", single, "?", "pg", "my"), one("pg"), other(asked("a", single, "?", "my", "lite")), questions.Value{}, false},
		"an option by what it is called":   {asked("a", single, "?", "pg=Postgres"), one("pg"), asked("a", single, "?", "postgres", "lite"), one("postgres"), true},
		"an option that two are called":    {asked("a", single, "?", "pg=Postgres"), one("pg"), asked("a", single, "?", "1=Postgres", "2=postgres"), questions.Value{}, false},
		"own words":                        {other(asked("a", single, "?", "pg")), one("mine"), other(asked("a", single, "?", "my")), one("mine"), true},
		"own words, and none asked for":    {other(asked("a", single, "?", "pg")), one("mine"), asked("a", single, "?", "my"), questions.Value{}, false},
		"own words that are an option now": {other(asked("a", single, "?", "pg")), one("Lite!"), asked("a", single, "?", "lite"), one("lite"), true},
		"some of many":                     {asked("a", multi, "?", "1", "2", "3"), many("1", "3"), asked("a", multi, "?", "3", "4"), many("3"), false},
		"all of many, in their new order":  {asked("a", multi, "?", "1", "2"), many("1", "2"), asked("a", multi, "?", "2", "1"), many("2", "1"), true},
		"one as many":                      {asked("a", single, "?", "1", "2"), one("1"), asked("a", multi, "?", "1"), many("1"), true},
		"many of one as one":               {asked("a", multi, "?", "1", "2"), many("2"), asked("a", single, "?", "2"), one("2"), true},
		"many as one":                      {asked("a", multi, "?", "1", "2"), many("1", "2"), asked("a", single, "?", "1", "2"), questions.Value{}, false},
		"a number":                         {asked("a", scale, "?"), number(4), asked("a", scale, "?"), number(4), true},
		"a number of another scale":        {asked("a", scale, "?"), number(4), ends(asked("a", scale, "?"), 1, 10, 1), questions.Value{}, false},
		"a number between two steps":       {ends(asked("a", scale, "?"), 0, 4, 1), number(3), ends(asked("a", scale, "?"), 0, 4, 2), questions.Value{}, false},
		"a text for a choice":              {asked("a", text, "?"), one("1"), asked("a", single, "?", "1"), questions.Value{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			fit, whole := test.now.Refit(test.earlier, test.answer)
			if !fit.Equal(test.fit) || whole != test.whole {
				t.Errorf("fits %v (whole: %v), want %v (%v)", fit, whole, test.fit, test.whole)
			}
		})
	}
}

// FuzzWording checks that the wording of a wording is that wording, and that
// punctuation after it changes nothing.
func FuzzWording(f *testing.F) {
	for _, seed := range []string{"", "Which Database?", "İstanbul ǅ ß", "どのDBを?", "a\x00b\u200d", "don't ’ C++ #1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		words := questions.Wording(safe.New(raw))
		if again := questions.Wording(safe.New(words)); again != words {
			t.Errorf("%q, and again %q", words, again)
		}
		if !utf8.ValidString(words) || strings.TrimSpace(words) != words {
			t.Errorf("%q", words)
		}
		if asked := questions.Wording(safe.New(raw + " ?!")); asked != words {
			t.Errorf("%q, with a question mark %q", words, asked)
		}
	})
}
