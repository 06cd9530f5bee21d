package mcp

import (
	"context"
	"io"
	"time"

	"planb/mcp/agent"
)

// releaseTime is how long it may take to give all claims back when the last connection
// has ended. The server is gone within two seconds of its last input.
const releaseTime = 400 * time.Millisecond

// Serve answers one client: it reads messages from in, one on a line, and
// writes replies to out, until the input ends or ctx does, and returns within
// two seconds of that. Calls that wait for a person are answered with "not
// answered yet" then, and their asks stay open. A read that fails otherwise is
// returned as an error.
//
// Serve does not close in or out. When ctx ends first, a read of in may still
// be under way when Serve returns.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.connections.Add(1)
	c := newConn(ctx, s, out)
	defer s.offer.join(c.Agent)()
	following, stop := context.WithCancel(ctx)
	defer stop()
	go s.follow(following)
	err := c.Agent.Serve(ctx, in)
	c.ForgetAsked()
	s.leave(c.Agent)
	if s.connections.Add(-1) == 0 {
		s.room.Close(releaseTime)
	}
	return err
}

// leave says that an agent's tasks have lost their holder. If the store cannot be written
// in that time, others find out by themselves.
func (s *Server) leave(a *agent.Agent) {
	ctx, cancel := context.WithTimeout(context.Background(), releaseTime)
	defer cancel()
	s.leaveTasks(ctx, a)
}
