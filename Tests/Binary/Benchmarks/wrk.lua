-- Prints one line of JSON at the end. With a list of paths it asks for one after the other.

local requests, turn = {}, 0
local paths = os.getenv("WRK_PATHS")

-- Without these, wrk sends the same bytes again and again, and Lua costs nothing.
if paths ~= "" then
    function init(arguments)
        for path in io.lines(paths) do requests[#requests + 1] = wrk.format("GET", path) end
    end

    function request()
        turn = turn % #requests + 1
        return requests[turn]
    end
end

function done(summary, latency, _)
    local errors, failed = summary.errors, 0
    for _, kind in ipairs({"connect", "read", "write", "status", "timeout"}) do failed = failed + errors[kind] end
    print(string.format('{"requests":%d,"seconds":%.6f,"failed":%d,"p99":%.4f}', summary.requests,
        summary.duration / 1e6, failed, latency:percentile(99) / 1e3))
end
