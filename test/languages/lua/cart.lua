--- What is bought.
local money = require("shop.money")
local log, level = require "shop.log", 2
local insert = table.insert

--- A cart of items.
-- It is never empty.
local Cart = { size = 0, open = function() return true end }
Cart.__index = Cart

local function check(item, ...)
  return item ~= nil
end

--- Makes one.
function Cart.new(owner)
  local self = setmetatable({}, Cart)
  self.owner = owner
  self.total = money.zero()
  return self
end

function Cart:add(item, count)
  if not check(item) then
    log.warn("no item")
  end
  insert(self.items, item)
  self.size = self.size + count
  return self:touch()
end

Cart.touch = function(self)
  return self
end

local Gift = setmetatable({}, { __index = Cart })

function Gift:wrap()
  return Cart.add(self, 1):touch()
end

local later
function later() end

local changed = check
changed = log.warn

TOTAL = 3
function global() return Cart.new():add(1) end

for key, item in pairs(TOTAL) do
  item:touch()
  key()
end

require("shop.money").zero()
package.loaded["x"].y()

return Cart
