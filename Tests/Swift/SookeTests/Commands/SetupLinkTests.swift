import Foundation
import Testing

@testable import sooke

/// The warning about a first password that would be sent in plain text.
@Suite struct SetupLinkTests {
    @Test(
        arguments: [
            ("https://town.example/setup#x", nil), ("http://127.0.0.1:8080/setup#x", nil),
            ("http://localhost:8080/setup#x", nil), ("http://[::1]:8080/setup#x", nil),
            ("http://town.example/setup#x", "https://town.example"),
            ("http://192.0.2.7:8080/setup#x", "https://192.0.2.7"),
            ("http://127.0.0.1.town.example/setup#x", "https://127.0.0.1.town.example"),
        ] as [(String, String?)])
    func isGivenWithoutTLS(link: String, url: String?) {
        let warning = SetupLink.warning(about: link)
        #expect((warning != nil) == (url != nil))
        if let url { #expect(warning?.hasSuffix("start the server with --url \(url)") == true) }
    }

    @Test(arguments: [("https://town.example", 0), ("http://town.example", 1)])
    func theCommandPrintsIt(url: String, warnings: Int) throws {
        let folder = try TemporaryFolder()
        let link = #"{"link":"\#(url)/setup#x"}"#
        let server = try TinyServer(
            at: "\(folder.path)/admin.sock",
            response: "HTTP/1.1 201 Created\r\nContent-Length: \(link.utf8.count)\r\n\r\n" + link)
        let captured = try CapturedConsole()
        #expect(Program.sooke.run(["setup-link", "--data", folder.path], on: captured.console) == .success)
        #expect(try captured.outputText() == "\(url)/setup#x\n")
        #expect(
            try captured.errorsText().components(separatedBy: "warning: the link is not https").count == warnings + 1)
        _ = server.receivedRequest()
    }
}
