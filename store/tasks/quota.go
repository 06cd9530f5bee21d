package tasks

import (
	"time"

	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

type quotaRecord struct {
	ledger.Header
	Used int `json:"used"`
}

const projectsKey = quotaKeys + "projects"

func monthKey(at time.Time) kv.Key { return quotaKeys + kv.Key(at.UTC().Format("2006-01")) }

func (s *Store) projectsQuota() tasks.Quota {
	return tasks.Quota{Name: "tasks.projects_limit", What: "projects", Limit: s.options.ProjectsLimit}
}

func (s *Store) monthQuota(at time.Time) tasks.Quota {
	at = at.UTC()
	return tasks.Quota{
		Name: "tasks.monthly_limit", What: "tasks of " + at.Format("2006-01"), Limit: s.options.MonthlyLimit,
		Reset: time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, time.UTC),
	}
}

// use counts what the change creates in the record of a counter, and refuses more than the
// quota leaves. A counter that cannot be read stays as it is. Then use refuses everything
// if there is a limit, and nothing if there is none.
func (s *Store) use(c *ledger.Change, found ledger.Found, quota tasks.Quota, asked int) error {
	count := func(r kv.Record) (err error) {
		record := quotaRecord{Header: ledger.NewHeader()}
		if r.Exists() {
			if record, err = ledger.Decode[quotaRecord](s.ledger, r); err != nil {
				return err
			}
		}
		quota.Used = record.Used
		if quota.Limit > 0 && record.Used+asked > quota.Limit {
			return quota.Exceeded(asked)
		}
		if r.Exists() {
			return s.ledger.Rewrite(c, r, "used", record.Used+asked)
		}
		c.Check(r)
		return c.Put(r.Key, quotaRecord{ledger.NewHeader(), asked})
	}
	if quota.Limit > 0 && found.Err != nil {
		return found.Err
	}
	err := count(found.Record)
	if quota.Limit == 0 && (ledger.AboutOne(found.Err) || ledger.AboutOne(err)) {
		return nil
	}
	return err
}
