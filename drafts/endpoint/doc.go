// Package endpoint has a model behind an OpenAI-compatible server answer the steps of a
// draft. It is the only package of planb that opens a connection to the network, and
// only for a person who set draft.base_url.
//
// A Client sends each question to the first model of its list. After a failure that may go
// away by itself (an overloaded server, a broken connection, silence) it asks the same model
// again. It sends an answer that is not accepted back to the model. After any other failure,
// and after the last try, it asks the next model. Only the transport knows the key, and it
// replaces the key's bytes in every answer and error. No redirect is followed. Begin with
// Client.Write.
package endpoint
