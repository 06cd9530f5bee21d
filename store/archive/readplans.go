package archive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"planb/plans"
	"planb/questions/safe"
	"planb/store"
)

// planName reads the number from v12.md or v12.json.
func planName(name string) (number int, text, ok bool) {
	digits, text := strings.CutSuffix(name, ".md")
	if !text {
		digits, ok = strings.CutSuffix(name, ".json")
	}
	digits, named := strings.CutPrefix(digits, "v")
	number, err := strconv.Atoi(digits)
	return number, text, (text || ok) && named && err == nil && number > 0 && number < 1e6 && strconv.Itoa(number) == digits
}

func (d *directory) plans(session *Session) {
	var numbers []int
	for _, name := range d.below(plansDir) {
		number, text, _ := planName(strings.TrimPrefix(name, plansDir+"/"))
		if text {
			numbers = append(numbers, number)
		} else if _, ok := d.files[fmt.Sprintf("plans/v%d.md", number)]; !ok {
			d.leave(name, "there is no v%d.md that can be read", number)
		}
	}
	slices.Sort(numbers)
	for _, number := range numbers {
		next := len(session.Plans) + 1
		if number-next > maxGap {
			d.leave(fmt.Sprintf("plans/v%d.md", number), "it was left out with all later versions: versions %d to %d are missing", next, number-1)
			return
		}
		for ; next < number; next++ {
			d.leave(plansDir, "there is no v%d.md that can be read; a text that says so stands in its place", next)
			session.Plans = append(session.Plans, d.missing(next, *session))
		}
		session.Plans = append(session.Plans, d.plan(number, *session))
	}
}

// missing returns a text in place of a version that is missing, so that later
// versions keep their numbers.
func (d *directory) missing(number int, session Session) store.WholePlan {
	return d.version(number, session.Created, fmt.Sprintf("*Version %d was missing where this session was imported from.*\n", number))
}

func (d *directory) version(number int, created time.Time, text string) store.WholePlan {
	plan := store.WholePlan{Text: safe.New(text)}
	plan.Session, plan.Number, plan.Created = d.id, number, created
	plan.Bytes, plan.Digest = len(text), plans.Digest(plan.Text)
	return plan
}

func (d *directory) plan(number int, session Session) store.WholePlan {
	text := string(d.files[fmt.Sprintf("plans/v%d.md", number)])
	name := fmt.Sprintf("plans/v%d.json", number)
	plan := d.version(number, session.Created, text)
	if !utf8.ValidString(text) {
		d.leave(fmt.Sprintf("plans/v%d.md", number), "it is not UTF-8; it is kept as it is")
	}
	data, ok := d.files[name]
	if !ok {
		d.leave(name, "it is missing or cannot be read; the version has no title, and gets the time of its session")
		return plan
	}
	meta, created, err := readPlan(data, d.id, number)
	if err != nil {
		d.leave(name, "%v; the version has no title, and gets the time of its session", err)
		return plan
	}
	if meta.Bytes != len(text) {
		d.leave(name, "it says that v%d.md has %d bytes, but the file has %d; its text is kept as it is", number, meta.Bytes, len(text))
	}
	plan.Title, plan.Created = meta.Title, created
	if meta.Planb != nil {
		plan.By, plan.Name = meta.Planb.By.Raw(), plans.Name(meta.Planb.Name)
	}
	return plan
}

func readPlan(data []byte, session string, number int) (meta dirPlan, created time.Time, err error) {
	if err := readJSON(data, &meta); err != nil {
		return meta, created, err
	}
	if err := (head{meta.SchemaVersion, meta.SessionID, session}).check(); err != nil {
		return meta, created, err
	}
	if meta.Version != number {
		return meta, created, fmt.Errorf("it is of version %d", meta.Version)
	}
	if err := checkLength("title", meta.Title.Raw(), maxWords); err != nil {
		return meta, created, err
	}
	if meta.Planb != nil {
		if err := checkLength("by", meta.Planb.By.Raw(), maxName); err != nil {
			return meta, created, err
		}
		if meta.Planb.Name != "" {
			if err := store.CheckPlanName(meta.Planb.Name); err != nil {
				return meta, created, err
			}
		}
	}
	created, err = readTime("createdAt", meta.CreatedAt)
	return meta, created, err
}
