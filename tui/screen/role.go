package screen

import (
	"planb/themes"
	"planb/tui/cells"
)

// Role returns the style of a role.
func (st *Styles) Role(r themes.Role) cells.Style {
	switch r {
	case themes.RoleSuccess:
		return st.Success
	case themes.RoleWarning:
		return st.Warning
	case themes.RoleRequired:
		return st.Required
	case themes.RoleFaint:
		return st.Faint
	}
	return st.Info
}
