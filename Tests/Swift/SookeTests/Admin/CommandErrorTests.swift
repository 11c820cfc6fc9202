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
        #expect(error(status, body) == CommandError(code, message))
    }

    @Test func aServerThatWasNotThereHasNotAnswered() {
        let body = #"{"error":{"message":"not right","fields":{"email":"is taken"}}}"#
        #expect(error(422, body, isServed: false) == CommandError(.badData, "not right: email is taken"))
    }

    @Test func namesTheCommandThatAcceptsChangesAgain() {
        let body = #"{"error":{"code":"read_only","message":"the town is read-only (moving)"}}"#
        let message = "the town is read-only (moving). To accept changes again: sooke read-only off --data 'my town'"
        #expect(error(503, body) == CommandError(.unavailable, message))
    }

    private func error(_ status: Int, _ body: String, isServed: Bool = true) -> CommandError {
        CommandError(
            AdminCall.Refusal(status: status, body: Array(body.utf8), isServed: isServed), in: "my town")
    }
}
