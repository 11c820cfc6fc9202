import Foundation
import Testing

@testable import sooke

/// The options that several commands share.
@Suite struct OptionsTests {
    @Test(arguments: ["serve", "demo"])
    func theVariableOfAWrongHostIsNamed(command: String) throws {
        let captured = try CapturedConsole(["HOST": "my.laptop"])
        #expect(Program.sooke.run([command], on: captured.console) == .usage)
        let message = "the environment variable HOST takes an address such as 127.0.0.1, not \"my.laptop\""
        #expect(try captured.errorsText() == "sooke: \(message)\n")
    }
}
