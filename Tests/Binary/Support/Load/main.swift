// Generates load, unthrottled or at a fixed rate, and prints what came of it as one line of JSON.
//
// usage: load [--connections N] [--seconds N] [--rate N] [--timeout N] [--method NAME] [--body TEXT]
//             [--targets FILE] URL
//
// Without --rate each connection sends its next request as soon as the last one is answered. With it, requests are due
// at fixed times, and the latency of each counts from when it was due. In the URL, in the paths of --targets (one a
// line) and in --body, {A..B} is a random whole number from A to B and {n} the number of the request. The tokens in the
// variable SOOKE_TOKEN, separated by spaces, are sent along in turn.

import Glibc

func fail(_ message: String) -> Never {
    _ = "load: \(message)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(64)
}

let options = LoadOptions(CommandLine.arguments.dropFirst())
signal(SIGPIPE, SIG_IGN)
var limit = rlimit()
getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
limit.rlim_cur = limit.rlim_max
setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
var generator = LoadGenerator(options)
generator.run()
print(generator.report)
