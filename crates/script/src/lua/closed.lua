-- The methods of a connection that the script has closed.
local native, inner = ...

local closed = setmetatable({}, { __index = inner.connection })

function closed.disconnect()
  inner.log("ALERT: attempt to close an already closed connection")
  return true
end

function closed:query()
  inner.log("ALERT: attempt to use an already closed connection")
  inner.note_error(self, sysbench.sql.error.FATAL)
  inner.rest("errors").fail("SQL API error")
end

closed.query_row, closed.prepare = closed.query, closed.query

return closed
