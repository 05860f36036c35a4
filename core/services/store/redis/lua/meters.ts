/** Windows and meters, as in `windows.ts` and `engine/meters.ts`; see `head.ts`. */
import { SLICES } from '../../ops.ts'
import { TOLERANCE_MS } from '../../windows.ts'

export const METERS: string = `
local DAY = 86400000
local UNITS = { i = 60000, h = 3600000, d = DAY }
local LENGTHS = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }

-- Start of the month that a time is in, and of the next (after H. Hinnant, "chrono-compatible low-level date algorithms").
local function month(ms)
  local days = math.floor(ms / DAY)
  local z = days + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local start = days - (doy - math.floor((153 * mp + 2) / 5))
  local m = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (m <= 2 and 1 or 0)
  local leap = m == 2 and (year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)) and 1 or 0
  return start * DAY, (start + LENGTHS[m] + leap) * DAY
end

-- The current slice of a meter's window, the oldest that counts, whether it is a calendar window, when a slice leaves,
-- the length of a slice's number, and how far ahead the newest slice may be (TOLERANCE_MS).
local function frame(name)
  local tag = string.sub(name, 1, string.find(name, '/', 1, true) - 1)
  local kind = string.sub(tag, 1, 1)
  if kind == 't' then return 0, 0, false, function() return nil end, 1, 0 end
  if kind == 'r' then
    local rolling = tonumber(string.sub(tag, 2))
    local length = math.ceil(rolling / ${SLICES})
    local function leaves(slice) return (slice + ${SLICES} + 1) * length end
    local current = math.floor(now / length)
    return current, current - ${SLICES}, false, leaves, length, math.min(rolling, ${TOLERANCE_MS})
  end
  if kind == 'm' then
    local start = month(now)
    return start, start, true, function(slice) local _, ends = month(slice) return ends end, 1, ${TOLERANCE_MS}
  end
  local length, offset = UNITS[kind], 0
  if kind == 'w' then length, offset = 7 * DAY, 4 * DAY end
  local start = math.floor((now - offset) / length) * length + offset
  return start, start, true, function(slice) return slice + length end, 1, math.min(length, ${TOLERANCE_MS})
end

-- Makes what is later than a slice part of it: the clock was set back.
local function fold(kept, current)
  local out, spent, reserved = {}, 0, 0
  for i = 1, #kept do
    local s = kept[i]
    if s[1] < current then out[#out + 1] = s else spent, reserved = spent + s[2], reserved + s[3] end
  end
  out[#out + 1] = { current, spent, reserved }
  return out
end

local readings = {}
local keep
local function reading(name)
  local r = readings[name]
  if r then return r end
  local raw = redis.call('GET', base .. 'm:' .. name)
  local kept = raw and cmsgpack.unpack(raw) or {}
  local current, first, calendar, leaves, length, tolerance = frame(name)
  local ahead, strayed = 0, false
  if #kept > 0 and kept[#kept][1] > current and kept[#kept][1] * length - now > tolerance then
    kept, strayed = fold(kept, current), true
  end
  if #kept > 0 and kept[#kept][1] > current then ahead = kept[#kept][1] - current end
  local slices, spent, reserved = {}, 0, 0
  first = first + ahead
  for i = 1, #kept do
    local s = kept[i]
    if s[1] >= first then
      slices[#slices + 1] = s
      spent = spent + s[2]
      reserved = reserved + s[3]
    end
  end
  r = { name = name, current = current + ahead, first = first, leaves = leaves, slices = slices, calendar = calendar }
  r.spent, r.reserved = spent, reserved
  readings[name] = r
  if strayed then keep(r) end
  return r
end

local function slice(r, number)
  local i = #r.slices
  while i > 0 and r.slices[i][1] > number do i = i - 1 end
  if i > 0 and r.slices[i][1] == number then return r.slices[i] end
  local added = { number, 0, 0 }
  table.insert(r.slices, i + 1, added)
  return added
end

-- Adds to a slice, if it still counts.
local function adjust(r, number, spent, reserved)
  if number < r.first then return end
  local s = slice(r, math.min(number, r.current))
  s[2] = s[2] + spent
  if number <= r.current then
    s[3] = s[3] + reserved
  else
    -- It was folded: the reservation is in another slice now.
    local rest = -reserved
    for i = #r.slices, 1, -1 do
      local given = math.min(rest, math.max(0, r.slices[i][3]))
      r.slices[i][3] = r.slices[i][3] - given
      rest = rest - given
    end
    reserved = rest - (-reserved)
  end
  r.spent, r.reserved = r.spent + spent, r.reserved + reserved
end

keep = function(r)
  local used, all = {}, r.slices
  for i = 1, #all do if all[i][2] ~= 0 or all[i][3] ~= 0 then used[#used + 1] = all[i] end end
  r.slices = used
  local key = base .. 'm:' .. r.name
  if #used == 0 then return redis.call('DEL', key) end
  local ends = r.leaves(used[#used][1])
  if ends then redis.call('SET', key, cmsgpack.pack(used), 'PXAT', ends) else redis.call('SET', key, cmsgpack.pack(used)) end
end

local function resets(r)
  local at
  if r.slices[1] then at = r.leaves(r.slices[1][1]) elseif r.calendar then at = r.leaves(r.current) end
  return at or false
end

local function state(out, key, name)
  local r, n = reading(name), #out
  out[n + 1], out[n + 2], out[n + 3], out[n + 4] = key, r.spent, r.reserved, resets(r)
end

-- Reserves what every scope can give, or nothing. Returns the answer and, if granted, what was taken of each scope.
local function take(scopes)
  local share = 1
  for i = 1, #scopes do
    local scope = scopes[i]
    local r = reading(scope.meter)
    local left = scope.limit - r.spent - r.reserved
    if left < scope.least then
      local used, at = r.spent + r.reserved, false
      for _, s in ipairs(r.slices) do
        used = used - s[2] - s[3]
        if used + scope.least <= scope.limit then at = r.leaves(s[1]) or false break end
      end
      return { 0, scope.key, scope.limit, r.spent, r.reserved, math.max(0, left), at }
    end
    if left < scope.amount then share = math.min(share, (left - scope.least) / (scope.amount - scope.least)) end
  end
  local answer, taken = { 1 }, {}
  for i = 1, #scopes do
    local scope, n = scopes[i], #answer
    local r = reading(scope.meter)
    local before = scope.limit - r.spent - r.reserved
    local granted = math.min(scope.least + math.ceil(share * (scope.amount - scope.least)), before)
    adjust(r, r.current, 0, granted)
    keep(r)
    taken[i] = { r.current, granted, 0 }
    answer[n + 1], answer[n + 2], answer[n + 3], answer[n + 4] = scope.key, r.spent, r.reserved, resets(r)
    answer[n + 5], answer[n + 6] = granted, before - granted
  end
  return answer, taken
end
`
