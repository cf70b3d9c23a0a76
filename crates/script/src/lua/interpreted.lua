-- The other faces of functions of the driver, which they have until code is compiled: to the interpreter, a function by address
-- is dear. A face is whose field or upvalue it is, which field or which function, what the other is, and what that calls.
local native, inner = ...

local getupvalue, setupvalue, flush = debug.getupvalue, debug.setupvalue, jit.flush
local make_face, state, faces = native.make_face, inner.state, inner.faces

for _, face in ipairs(faces) do
  local owner, what, name, of, sample = unpack(face, 1, 5)
  of = type(of) == "string" and native.address(of) or of
  if type(owner) == "table" then
    face[3] = owner[what]
    owner[what], face[5] = make_face(face[3], state, of, name, sample), nil
  else
    local place, value = 0, nil
    repeat
      place = place + 1
      value = select(2, getupvalue(owner, place))
    until rawequal(value, what)
    face[3] = place
    -- The compiler takes what a function refers to for constant, unless an assignment in Lua changes it.
    setupvalue(owner, place, make_face(what, state, of, name))
  end
end

inner.faces = nil

-- Turns all faces to compiled code, for good. What is compiled by now has computed for long: it is compiled anew.
function inner.turn_back()
  if faces then
    for _, face in ipairs(faces) do
      local owner, what, kept = face[1], face[2], face[3]
      if type(owner) == "table" then
        owner[what] = kept
      else
        setupvalue(owner, kept, what)
      end
    end
    faces = nil
    flush()
  end
end

-- What commands read is noted where somebody asks; loads do without.
if native.notes_inputs then
  inner.part("inputs")(native, inner)
end
