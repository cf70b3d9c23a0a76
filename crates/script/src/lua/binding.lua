-- Parameters of prepared statements, and inserts of many rows.
local native, inner = ...

local ask = inner.ask
local connection, statement, param_class = inner.connection, inner.statement, inner.param_class
local kinds = sysbench.sql.type
local tonumber, tostring, type, error = tonumber, tostring, type, error

local WHOLE = { [kinds.TINYINT] = true, [kinds.SMALLINT] = true, [kinds.INT] = true, [kinds.BIGINT] = true }
local BROKEN = { [kinds.FLOAT] = true, [kinds.DOUBLE] = true }
local TEXT = { [kinds.CHAR] = true, [kinds.VARCHAR] = true }

local param = {}
param_class.__index = param

-- What travels for a number: one of 64 bits goes as its digits, which a Lua number could not hold.
local function number(value, whole)
  if type(value) == "cdata" then
    return whole and tostring(value):match("^-?%d+") or tonumber(value)
  elseif type(value) == "boolean" then
    return value and 1 or 0
  elseif type(value) ~= "number" then
    error(("cannot convert '%s' to '%s'"):format(type(value), whole and "int64_t" or "double"), 3)
  end
  return value
end

function param:set(value)
  local kind = self.kind
  if value == nil then
    self.value = nil
  elseif TEXT[kind] then
    self.value = tostring(value):sub(1, self.most)
  else
    self.value = number(value, WHOLE[kind])
  end
end

function param:set_rand_str(format)
  self.value = sysbench.rand.string(format):sub(1, self.most)
end

function statement:bind_create(kind, most)
  if not (WHOLE[kind] or BROKEN[kind] or TEXT[kind]) then
    error("Unsupported argument type: " .. tostring(kind), 2)
  end
  return setmetatable({ kind = kind, most = most or -1 }, param_class)
end

-- Bytes of a statement that gathers rows.
local BULK_BYTES = 512 * 1024

function connection:bulk_insert_init(head)
  self.bulk = { head = head, rows = {}, count = 0, bytes = #head }
end

local function flush(self)
  local bulk = self.bulk
  local text = bulk.head .. table.concat(bulk.rows, ",", 1, bulk.count)
  bulk.count, bulk.bytes = 0, #bulk.head
  return text
end

local OVER = "attempt to call bulk_insert_%s() before bulk_insert_init()"

local function needed(self, what)
  local bulk = self.bulk
  if not bulk then
    native.log("ALERT: " .. OVER:format(what))
    error(OVER:format(what), 3)
  end
  return bulk
end

function connection:bulk_insert_next(row)
  local bulk = needed(self, "next")
  local full
  if bulk.count > 0 and bulk.bytes + #row + 1 >= BULK_BYTES then
    full = flush(self)
  end
  bulk.count = bulk.count + 1
  bulk.rows[bulk.count] = row
  bulk.bytes = bulk.bytes + #row + 1
  if full then
    self:query(full)
  end
end

function connection:bulk_insert_done()
  local bulk = needed(self, "done")
  local rest = bulk.count > 0 and flush(self)
  self.bulk = nil
  if rest then
    self:query(rest)
  end
end
