// Package endpoint has a model behind an OpenAI-compatible server answer the steps of a
// draft. It is the only package of planb that opens a connection to the network, and
// only for a person who set draft.base_url.
//
// A Client sends each question to the first model of its list. What passes (an overloaded
// server, a broken connection, silence) is tried again, an answer that is not accepted
// goes back to the model, and what does not pass goes to the next model. The key is known
// to the transport alone: its bytes in any answer or error are replaced. No redirect is
// followed. Begin with Client.Write.
package endpoint
