-- Requests from a list of paths, one after the other, as changes with a new text each where there is one to send;
-- prints one line of JSON at the end.

local heads, pause = {}, tonumber(os.getenv("WRK_PAUSE")) or 0
local paths, before, after = os.getenv("WRK_PATHS"), os.getenv("WRK_BEFORE"), os.getenv("WRK_AFTER")
local count, turn = 0, 0

function init(arguments)
    if paths == "" then return end
    local body = before and before .. string.format("%012d", 0) .. after or nil
    if body then
        wrk.headers["Authorization"] = "Bearer " .. os.getenv("WRK_TOKEN")
        wrk.headers["Content-Type"] = "application/json"
        count = tonumber(os.getenv("WRK_FIRST"))
    end
    for path in io.lines(paths) do
        local request = wrk.format(body and "PATCH" or "GET", path, nil, body)
        heads[#heads + 1] = body and request:sub(1, #request - #body) or request
    end
end

-- Without these, wrk sends the same bytes again and again, and Lua costs nothing.
if paths ~= "" then
    function request()
        turn = turn % #heads + 1
        if not before then return heads[turn] end
        count = count + 1
        return heads[turn] .. before .. string.format("%012d", count) .. after
    end
end
if pause > 0 then
    function delay() return pause end
end

function done(summary, latency, requests)
    local errors, failed = summary.errors, 0
    for _, kind in ipairs({"connect", "read", "write", "status", "timeout"}) do failed = failed + errors[kind] end
    print(string.format('{"requests":%d,"seconds":%.6f,"failed":%d,"p50":%.4f,"p99":%.4f}', summary.requests,
        summary.duration / 1e6, failed, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
