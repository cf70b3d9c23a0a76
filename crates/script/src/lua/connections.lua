-- Methods of connections that few scripts call: other results, new connections, inserts of many rows.
local native, inner = ...

local state = inner.state
local error, pcall = error, inner.pcall
local arguments = inner.rest("arguments")
local kinds = sysbench.sql.error
local rest = {}

function rest:check_error(value, query)
  self = arguments.connection("check_error", self)
  if self.error == kinds.NONE then
    return value
  end
  local ignored = self.error == kinds.IGNORABLE
  return inner.rest("errors").raise(self, query, ignored, self.sql_errno, self.sql_state, self.sql_errmsg)
end

function rest:reconnect()
  self = arguments.connection("reconnect", self)
  if inner.request("reconnect")(state, self[inner.NUMBER], 0) < 0 then
    return inner.rest("errors").raise(self, "", false, native.error())
  end
  setmetatable(self, inner.connection)
  return true
end

-- Whether the last text had another result behind the one that was read; scripts for 1.1 ask.
function rest:more_results()
  self = arguments.connection("more_results", self, true)
  return native.more_results(self[inner.NUMBER])
end

function rest:next_result()
  self = arguments.connection("next_result", self, true)
  local rows, fields, serial = native.next_result(self[inner.NUMBER])
  if rows then
    return setmetatable({ connection = self, nrows = rows, nfields = fields, serial = serial }, inner.result)
  end
end

-- Rows and fields of a result that was only counted.
local NUMBERS = { nrows = "rows", nfields = "fields" }

function rest.number_of(counted, name)
  local field = NUMBERS[name]
  return field and counted[inner.OBJECT][field]
end

-- Bytes of a statement that gathers rows.
local BULK_BYTES = 512 * 1024

function rest:bulk_insert_init(head)
  self, head = arguments.statement("bulk_insert_init", self, head)
  self.bulk = { head = head, rows = {}, count = 0, bytes = #head }
  return true
end

local function flush(self)
  local bulk = self.bulk
  local text = bulk.head .. table.concat(bulk.rows, ",", 1, bulk.count)
  bulk.count, bulk.bytes = 0, #bulk.head
  return text
end

-- Sends rows. After an error the log has the statement; what a script sees is the name of the function, as in sysbench.
local function send(self, text, name)
  local succeeded, raised = pcall(self.query, self, text)
  if not succeeded and self.error == kinds.FATAL then
    error(("db_%s() failed"):format(name), 3)
  elseif not succeeded then
    error(raised, 0)
  end
end

function rest:bulk_insert_next(row)
  self, row = arguments.statement("bulk_insert_next", self, row)
  local bulk = rawget(self, "bulk")
  if not bulk then
    inner.log("ALERT: attempt to call bulk_insert_next() before bulk_insert_init()")
    error("db_bulk_insert_next() failed", 2)
  end
  local full
  if bulk.count > 0 and bulk.bytes + #row + 1 >= BULK_BYTES then
    full = flush(self)
  end
  bulk.count = bulk.count + 1
  bulk.rows[bulk.count] = row
  bulk.bytes = bulk.bytes + #row + 1
  if full then
    send(self, full, "bulk_insert_next")
  end
  return true
end

function rest:bulk_insert_done()
  self = arguments.connection("bulk_insert_done", self, true)
  local bulk = rawget(self, "bulk")
  local text = bulk and bulk.count > 0 and flush(self)
  self.bulk = nil
  if text then
    send(self, text, "bulk_insert_done")
  end
  return true
end

return rest
