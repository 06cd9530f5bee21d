package drafts

import (
	"fmt"
	"slices"
	"strings"

	"planb/drafts/schedule"
	"planb/drafts/shape"
	"planb/questions/lenient"
)

// planned are the days that a plan has for what a name means.
type planned struct {
	name     string // in lower case
	from, to schedule.Date
}

// plannedDays returns the span of days of each task and milestone. It reaches from the
// earliest to the latest of its days: first and last day, due day, and the last day if all
// takes longest. Tasks with the same name share a span. A name of one word is left out,
// because the word is too common.
func (d Draft) plannedDays() (list []planned) {
	add := func(name string, days ...string) {
		if name = strings.ToLower(name); !strings.Contains(name, " ") {
			return
		}
		at := slices.IndexFunc(list, func(p planned) bool { return p.name == name })
		for _, text := range days {
			day, err := schedule.ParseDate(text)
			switch {
			case err != nil: // the shape of the schedule accepts no such day
			case at < 0:
				list, at = append(list, planned{name, day, day}), len(list)
			default:
				p := &list[at]
				p.from, p.to = sooner(p.from, day), later(p.to, day)
			}
		}
	}
	o := d.Output("schedule")
	leaves := o.Records("leaves")
	for _, l := range leaves {
		add(l.Text("name"), l.Text("start"), l.Text("end"))
	}
	for _, phase := range d.Output("wbs").Records("phases") {
		for _, task := range phase.Records("tasks") {
			m, makes := byID(d.Output("project").Records("milestones"), task.Text("makes"))
			for _, l := range leaves {
				if l.Text("id") != task.Text("id") && !strings.HasPrefix(l.Text("id"), task.Text("id")+".") {
					continue
				}
				add(task.Text("name"), l.Text("start"), l.Text("end"))
				if makes {
					add(m.Text("name"), l.Text("start"), l.Text("end"))
				}
			}
		}
	}
	for _, line := range o.Records("deadlines") {
		due, err := schedule.ParseDate(line.Text("due"))
		if err == nil {
			add(line.Text("name"), line.Text("last"), line.Text("due"), due.AddDays(max(0, line.Int("late_at_max"))).String())
		}
	}
	return list
}

func sooner(a, b schedule.Date) schedule.Date {
	if a.DaysUntil(b) < 0 {
		return b
	}
	return a
}

func later(a, b schedule.Date) schedule.Date {
	if a.DaysUntil(b) > 0 {
		return b
	}
	return a
}

// telling reports whether a field tells what will happen. Fields in which a premortem
// imagines, a review proposes or a rule provides for something have other days on purpose.
func telling(step, field string) bool {
	switch step {
	case "risks":
		return field == "action"
	case "pitch":
		return slices.Contains([]string{"hook", "what", "ask"}, field)
	case "summary":
		return slices.Contains([]string{"focus", "findings", "do", "text"}, field)
	}
	return false
}

// besides find the day of a name: those before it and behind it in its line.
type besides struct {
	behind pattern // doors open (2027-06-01), doors open by 2027-06-01
	before pattern // - 2027-06-01: doors open
	ended  pattern // what may stand behind a name that has its day before it
	begins pattern // a clause whose first words the name is
	open   pattern // words that make a sentence a supposition
}

func besideNames() besides {
	const iso = `(\d{4}-\d{2}-\d{2})`
	return besides{
		behind: lazy(`^["”»*]*(?:\s*[(:]|\s+(?:by|on|until|(?:is\s+)?due(?:\s+(?:on|by))?|bis(?:\s+zum)?|am))\s*` + iso + `\b`),
		before: lazy(`^[\s*•-]*` + iso + `\**\s*[:–—-]\s*["“„«*]*$`),
		ended:  lazy(`^["”»*]*\s*(?:$|[.,;:(–—])`),
		begins: lazy(`(?:^|[.;:!?])[\s*•-]*["“„«*]*(?:(?:the|die|der|das)\s)?$`),
		open: lazy(`(?:^|[^\pL])(?:if|unless|or|instead|otherwise|latest|earliest|not|no|without|would|should|could|might|may|when|` +
			`wenn|falls|sonst|statt|oder|nicht|kein|keine|ohne|würde|würden|sollte|sollten|könnte|könnten|spätestens|frühestens|` +
			`si|sinon|ou|sans|pas|sino|sin|o)(?:[^\pL]|$)`),
	}
}

// otherDays finds days right beside the name of a task or a milestone for which the schedule
// has none of them: "2027-07-15: Doors open" where that is due 2027-06-01. A name within a
// sentence may be something else, and a sentence with "if" tells another case.
func (d Draft) otherDays(s Step, o shape.Object, k known) (list []Finding) {
	var days []planned
	beside, date := besideNames(), k.patterns.dates[isoDate]
	s.Shape.Walk(o, func(path string, f shape.Field, value any) any {
		text, ok := value.(string)
		if !ok || f.Kind != shape.Text || !telling(s.ID, f.Name) || !date().MatchString(text) {
			return value
		}
		if days == nil {
			days = d.plannedDays()
		}
		for line := range strings.Lines(strings.ToLower(text)) {
			for _, p := range days {
				if said := beside.other(strings.TrimSpace(line), p); said != "" {
					list = append(list, Finding{s.ID, shape.Problem{
						Path: path, Got: said + " beside " + lenient.Quote(p.name),
						Allowed: fmt.Sprintf("a day from %s to %s, as the schedule has it", p.from, p.to),
					}})
				}
			}
		}
		return value
	})
	return list
}

// other returns the day beside a name in a line that is none of its days; empty if there is
// no such day.
func (b besides) other(line string, p planned) string {
	at := strings.Index(line, p.name)
	if at < 0 || !hasWord(line, p.name) {
		return ""
	}
	left, right := line[:at], line[at+len(p.name):]
	said := b.before().FindStringSubmatch(left)
	if said == nil || !b.ended().MatchString(right) {
		if said = b.behind().FindStringSubmatch(right); said == nil || !b.begins().MatchString(left) {
			return ""
		}
	}
	day, err := schedule.ParseDate(said[1])
	if err != nil || p.from.DaysUntil(day) >= 0 && day.DaysUntil(p.to) >= 0 || b.open().MatchString(sentence(left, right)) {
		return ""
	}
	return said[1]
}

// sentence returns what stands beside a name in its sentence.
func sentence(left, right string) string {
	const ends = ".!?"
	right = right[:strings.IndexAny(right+".", ends)]
	return left[strings.LastIndexAny(left, ends)+1:] + " " + right
}
