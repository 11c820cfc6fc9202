-- Ends with a line of how many requests were answered in how many microseconds, and how many failed. The paths of the
-- file WRK_PATHS are requested in turn; with WRK_BODY each request is a PATCH by one of the accounts of WRK_TOKENS, and
-- %015d in the body is a number that is new in each.

local file, body, tokens = os.getenv("WRK_PATHS"), os.getenv("WRK_BODY"), os.getenv("WRK_TOKENS")
local requests, accounts, turn = {}, {}, os.time() * 100000

-- Without a file wrk sends the same bytes again and again, and Lua costs nothing.
if file then
    function init(arguments)
        for path in io.lines(file) do
            requests[#requests + 1] = body and "PATCH " .. path .. " HTTP/1.1\r\n" or wrk.format("GET", path)
        end
        for token in (tokens or ""):gmatch("%S+") do
            accounts[#accounts + 1] = "Host: localhost\r\nAuthorization: Bearer " .. token ..
                "\r\nContent-Type: application/json\r\nContent-Length: " .. #body:format(0) .. "\r\n\r\n"
        end
    end

    function request()
        turn = turn + 1
        local start = requests[turn % #requests + 1]
        return body and start .. accounts[turn % #accounts + 1] .. body:format(turn) or start
    end
end

function done(summary, _, _)
    local errors, failed = summary.errors, 0
    for _, kind in ipairs({"connect", "read", "write", "status", "timeout"}) do failed = failed + errors[kind] end
    print(string.format("%d %d %d", summary.requests, summary.duration, failed))
end
