"""An attacker of Ebb that knows only the wire: it shares no code with Ebb."""
