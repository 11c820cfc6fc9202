import Testing

@testable import sooke

@Suite struct CommandErrorTests {
    /// The response of the server, and the message to the user.
    @Test(arguments: [
        (
            422, #"{"error":{"code":"c","message":"not right","fields":{"email":"is taken","name":"is empty"}}}"#,
            ExitCode.badData, "the server answered 422: not right: email is taken; name is empty"
        ),
        (
            422, #"{"error":{"fields":{"role":"is odd"},"message":"no"}}"#, .badData,
            "the server answered 422: no: role is odd"
        ),
        (409, #"{"error":{"code":"last_admin","message":"promote"}}"#, .badData, "the server answered 409: promote"),
        (
            404, #"{"error":{"message":"there is no such token"}}"#, .noInput,
            "the server answered 404: there is no such token"
        ),
        (507, #"{"error":{"message":"full"}}"#, .inputOutput, "the server answered 507: full"),
        (503, "<html>", .unavailable, "the server answered 503: no reason given"),
        (500, #"{"error":"#, .unavailable, "the server answered 500: no reason given"),
    ])
    func tellsWhatTheServerSaid(status: Int, body: String, code: ExitCode, message: String) {
        #expect(CommandError(serverStatus: status, body: Array(body.utf8)) == CommandError(code, message))
    }

    @Test func aServerThatWasNotThereHasNotAnswered() {
        let body = Array(#"{"error":{"message":"not right","fields":{"email":"is taken"}}}"#.utf8)
        #expect(
            CommandError(serverStatus: 422, body: body, isServed: false)
                == CommandError(.badData, "not right: email is taken"))
    }

    @Test func namesTheCommandThatAcceptsChangesAgain() {
        let body = Array(#"{"error":{"code":"read_only","message":"the town is read-only (moving)"}}"#.utf8)
        let message = "the town is read-only (moving). To accept changes again: sooke read-only off --data 'my town'"
        #expect(
            CommandError(serverStatus: 503, body: body, in: "my town") == CommandError(.unavailable, message))
    }
}
