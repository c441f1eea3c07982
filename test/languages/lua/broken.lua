local M = {}

function M.whole()
  local x =
end

function M.after()
  M.whole(1, )
end

if then end

return M
