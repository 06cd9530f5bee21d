package plans

// Limits of a plan.
const (
	MaxPlanBytes  = 16 << 20 // the text
	MaxTitleBytes = 1 << 10  // the title
)
