local M = {}

local function find(name) end

return {
  find = find,
  run = function(self) return find(self.name) end,
  deep = { of = M },
  [1] = find,
}
