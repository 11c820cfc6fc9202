import Bytes
import HTTP
import Journal
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// The callers in the tests of permissions.
enum TestCaller: String, CaseIterable, Sendable {
    /// Without an account.
    case nobody
    /// A general user, who submitted the events `quiz` and `walk`.
    case mia
    /// A business owner, who owns `zeds`, where those events are, and `den`, which is not listed.
    case olga
    /// Another business owner, who owns `anchor`.
    case otto
    /// An editor, who owns nothing.
    case edda
    /// A super admin.
    case ada
    /// The owner of the data folder, over its socket.
    case folder

    /// The ID of the caller's account.
    var person: Int? {
        switch self {
        case .nobody, .folder: nil
        case .ada: 1
        case .olga: 2
        case .otto: 3
        case .mia: 4
        case .edda: 5
        }
    }

    var email: String { "\(rawValue)@town.example" }
}

/// The secrets of the people, whose digests are in the town's store.
enum TestSecrets {
    /// The token of each caller's session.
    static let sessions = Dictionary(uniqueKeysWithValues: TestCaller.allCases.map { ($0, make(.session)) })
    static let invitation = make(.invitation)
    static let reset = make(.passwordReset)
    static let confirmation = make(.confirmation)

    /// The password of all accounts, and a valid new one.
    static let password = "plum-ladder-oxide-42"
    static let newPassword = "quartz-heron-fable-77"

    /// The cheapest hash of `password`, made once.
    static let hash = try? PasswordHash.make(Password(password), cost: .lowest)

    private static func make(_ kind: TokenKind) -> Token {
        guard let token = try? Token(kind) else { fatalError("the system has no random bytes") }
        return token
    }
}

extension TestTown {
    static let people: [(RecordKind, String)] = [
        (.person, #"{"email":"ada@town.example","role":"super_admin","display_name":"Ada"}"#),
        (.person, #"{"email":"olga@town.example","role":"business_owner"}"#),
        (.person, #"{"email":"otto@town.example","role":"business_owner"}"#),
        (.person, #"{"email":"mia@town.example"}"#),
        (.person, #"{"email":"edda@town.example","role":"editor"}"#),
        (.category, #"{"id":7,"name":"Unused"}"#),
        (.eventType, #"{"id":7,"name":"Unused"}"#),
        (.notice, #"{"title":"Snow","state":"current"}"#),
        (.business, #"{"slug":"zeds","owner_id":2}"#),
        (.business, #"{"slug":"anchor","owner_id":3}"#),
        (.business, #"{"name":"Den","owner_id":2,"address":"5 A","latitude":48,"longitude":-123}"#),
        (
            .event,
            #"{"name":"Quiz","event_type":"sports","business":"zeds","submitted_by":4,"#
                + #""starts_at":"2035-01-01T00:00:00Z","status":"pending_review"}"#
        ),
        (
            .event,
            #"{"name":"Walk","event_type":"sports","business":"zeds","submitted_by":4,"#
                + #""starts_at":"2035-01-02T00:00:00Z","status":"rejected","reason":"too loud"}"#
        ),
        (
            .event,
            #"{"name":"Gig","event_type":"live-music","business":"zeds","submitted_by":4,"#
                + #""starts_at":"2035-01-03T00:00:00Z","status":"approved"}"#
        ),
        (
            .calendar,
            #"{"address":"https://library.example/secret.ics","name":"Library","event_type":"sports","created_by":5,"#
                + #""gone":4,"gone_of":5}"#
        ),
        (
            .event,
            #"{"name":"Reading","event_type":"sports","location":"Library","starts_at":"2035-01-05T00:00:00Z","#
                + #""status":"approved","price":"5","sources":[{"calendar":1,"key":"r","part":"source","fields":["#
                + #"{"name":"price","digest":"7","value":"{\"price\":\"7\"}"}]},"#
                + #"{"calendar":2,"key":"o","part":"other"}]}"#
        ),
    ]

    /// A town with people who have logged in, an invitation (5), a reset of Mia's password (6), a link that confirms `zeds`
    /// (7) and a proposal of Mia's (1). The sessions are 1 to 4, and 8.
    static func peopled(fileSystem: some FileSystem = POSIXFileSystem()) async throws -> TestTown {
        let town = try await TestTown(fileSystem: fileSystem)
        let now = town.clock.now
        let hash = try #require(TestSecrets.hash).stored
        _ = try await town.store.write(by: .local) { transaction in
            for (kind, json) in Self.people { try transaction.upsert(kind, json) }
            for caller in [TestCaller.ada, .olga, .otto, .mia] { transaction.logIn(caller, hash, at: now) }
            var invitation = Credential(.invitation, TestSecrets.invitation, at: now, lasting: 3600)
            (invitation.email, invitation.role, invitation.createdBy) = ("new@town.example", .businessOwner, 1)
            transaction.put(invitation)
            var reset = Credential(.passwordReset, TestSecrets.reset, at: now, lasting: 3600)
            (reset.person, reset.email, reset.createdBy) = (4, "mia@town.example", 1)
            transaction.put(reset)
            var confirmation = Credential(.confirmation, TestSecrets.confirmation, at: now, lasting: 3600)
            (confirmation.person, confirmation.business, confirmation.createdBy) = (2, 1, 2)
            transaction.put(confirmation)
            transaction.put(Self.proposal(at: now), at: now)
            transaction.logIn(.edda, hash, at: now)
        }
        return town
    }

    /// Mia's proposal of an event at `zeds`.
    private static func proposal(at now: Timestamp) -> Proposal {
        var (proposal, patch) = (Proposal(), Patch<Event>())
        (patch.values.name, patch.values.eventType) = ("Fête", Slug("sports"))
        patch.values.startsAt = Timestamp(rfc3339: "2035-01-04T00:00:00Z")
        patch.fields = ["name", "event_type", "starts_at"]
        proposal.setChanges(patch)
        (proposal.business, proposal.submittedBy, proposal.sentAt) = (1, 4, now)
        (proposal.text, proposal.email) = ("Is the garden free?", "mia@home.example")
        return proposal
    }

    /// Stores a credential with a new token.
    func give(
        _ kind: TokenKind, _ purpose: Credential.Purpose, to person: Int?, lasting seconds: Int?,
        _ change: @Sendable (inout Credential) -> Void = { _ in }
    ) async throws -> (token: Token, id: Int) {
        let token = try Token(kind)
        let now = clock.now
        let id = try await store.write(by: .local) { transaction in
            var credential = Credential(purpose, token, at: now, lasting: seconds)
            credential.person = person
            change(&credential)
            return transaction.put(credential).id
        }.result
        return (token, id)
    }

    /// The current version of an event, as a body that approves it.
    func version(of slug: String) throws -> String {
        let event = try #require(store.current.town.events[Slug(slug)])
        return #"{"version":"\#(String(event.digest, radix: 16).leftPadded)"}"#
    }

    /// A body of a row, with the version filled in.
    func filled(_ body: String) throws -> String {
        switch body {
        case AccessRow.versionOfQuiz: return try version(of: "quiz")
        case AccessRow.versionOfProposal:
            let proposal = try #require(store.current.town.proposals[1])
            return #"{"version":"\#(String(proposal.digest, radix: 16).leftPadded)"}"#
        default: return body
        }
    }

    /// The response to an approval of the current version of an event.
    func approve(_ slug: String, as caller: TestCaller) async throws -> Response {
        try await send(.post, "/api/v1/events/\(slug)/approve", as: caller, body: try version(of: slug))
    }

    /// The slug of the only event with a name.
    func slug(ofEvent name: String) throws -> String {
        let slugs = store.current.town.events.inOrderOfID.filter { $0.value.name == name }.map(\.value.slug.text)
        try #require(slugs.count == 1)
        return slugs[0]
    }

    /// The response to a request of a caller with a session.
    func send(
        _ method: HTTP.Method, _ target: String, as caller: TestCaller, _ headers: [(String, String)] = [],
        body: String = ""
    ) async throws -> Response {
        let body = try filled(body)
        switch caller {
        case .nobody: return try await send(method, target, headers, body: body)
        case .folder: return try await send(method, target, headers, body: body, from: Self.owner)
        case .mia, .olga, .otto, .edda, .ada:
            let token = try #require(TestSecrets.sessions[caller])
            return try await send(method, target, headers + [token.asField], body: body)
        }
    }
}

extension WriteTransaction {
    /// Stores the password of a caller and the token of a session.
    fileprivate mutating func logIn(_ caller: TestCaller, _ hash: String, at now: Timestamp) {
        guard let person = caller.person, let token = TestSecrets.sessions[caller] else { return }
        put(PasswordRecord(of: person, hash: hash, setAt: now))
        var credential = Credential(.session, token, at: now, lasting: Accounts.sessionSeconds)
        credential.person = person
        put(credential)
    }
}

extension String {
    /// With leading zeros, as digests are written.
    fileprivate var leftPadded: String { String(repeating: "0", count: 16 - count) + self }
}

extension Token {
    /// The header field with the token.
    var asField: (String, String) { ("Authorization", "Bearer \(reveal())") }
}

extension Response {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The code of an error; nil for other responses.
    var errorCode: String? {
        let start = #"{"error":{"code":""#
        return text.hasPrefix(start) ? String(text.dropFirst(start.count).prefix { $0 != "\"" }) : nil
    }
}
