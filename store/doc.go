// Package store keeps what planb must not lose: sessions, asks and their
// answers, drafts, claims and plan versions. It knows keys and formats; bytes
// are an Engine's business.
package store
