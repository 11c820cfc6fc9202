import CBuild
import Foundation
import Platform
import SookeClient
import ViewTree

let usage = """
    usage: sooke-browse URL

    Shows the town of a server, such as http://127.0.0.1:8080, and follows its changes. The keys are on the screen.
    What was seen last is shown at once at the next start, and while the server cannot be reached.
    Times are those of the town. NO_COLOR=1 shows no colours.

    """

func end(_ message: String, _ code: Int32, to output: FileDescriptor = .standardError) -> Never {
    try? output.write(Array(message.utf8))
    exit(code)
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.contains("--help") || arguments.contains("-h") { end(usage, 0, to: .standardOutput) }
guard arguments.count == 1, let address = arguments.first, let url = URL(string: address),
    ["http", "https"].contains(url.scheme), url.host() != nil
else { end("sooke-browse: name the address of one server, with http:// or https://\n\n\(usage)", 64) }
guard let settings = FileDescriptor.standardInput.terminalSettings, FileDescriptor.standardOutput.terminalSize != nil
else { end("sooke-browse: it needs a terminal; for programs there is: sooke changes --format json\n", 64) }
do {
    let build = "sooke-browse, commit \(String(cString: sooke_commit()).prefix(12))"
    try Supervisor.begin(build) { Terminal.restore(.standardOutput, settings) }
} catch {
    end("sooke-browse: cannot start a process: \(error)\n", 71)
}

let signals = Signals.prepareForScreen()
let server = address.hasSuffix("/") ? String(address.dropLast()) : address
Task { @MainActor in
    do {
        try await Browser.run(server, signals)
    } catch {
        end("sooke-browse: \(error)\n", 71)
    }
    exit(0)
}
// Not `dispatchMain`, whose thread would receive the signals that all others block.
RunLoop.main.run()
