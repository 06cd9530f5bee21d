package questions

import "planb/questions/lenient"

// reader turns JSON into a form.
type reader struct{ lenient.Reader }
