import Testing

@testable import HTTP

@Suite struct ServerTests {
    @Test(arguments: PollerKind.allCases)
    func keepsAConnectionForManyRequests(_ poller: PollerKind) throws {
        let server = try LiveServer(poller)
        let client = try server.connect()
        for number in 1...3 {
            let answer = try client.get("/\(number)")
            #expect(answer.status == 200)
            #expect(answer.body == "GET /\(number) ")
            #expect(answer.fields["Server"] == "sooke")
            #expect(answer.fields["Date"]?.hasSuffix(" GMT") == true)
            #expect(answer.fields["Connection"] == nil)
        }
    }
}
