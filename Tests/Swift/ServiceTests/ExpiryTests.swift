import Bytes
import Platform
import SookeModel
import Store
import TestSupport
import Testing

@testable import Service

/// What expires by the clock of the machine, when that is wrong.
@Suite struct ExpiryTests {
    private static let tenYears = 3650 * 86_400

    private func isValid(_ token: Token, _ town: ServiceTown) -> Bool {
        (try? town.service.authenticate(token, in: town.store.current)) != nil
    }

    /// A credential of Mia.
    private func give(
        _ kind: TokenKind, _ purpose: Credential.Purpose, _ town: ServiceTown, lasting seconds: Int?,
        _ set: (inout Credential) -> Void = { _ in }
    ) async throws -> Token {
        let token = try Token(kind)
        var credential = Credential(purpose, token, at: town.clock.now, lasting: seconds)
        (credential.person, credential.scope) = (4, purpose == .apiToken ? .read : nil)
        set(&credential)
        _ = try await town.store.write(by: .local) { [credential] transaction in transaction.put(credential) }
        return token
    }

    private func session(_ town: ServiceTown, stays: Bool = false) async throws -> Token {
        try await give(.session, .session, town, lasting: stays ? Accounts.signedInSeconds : Accounts.sessionSeconds) {
            $0.staysSignedIn = stays
        }
    }

    /// A write while the clock is ten years ahead does not make later sessions last for years.
    @Test(arguments: [false, true])
    func sessionsAfterAClockThatWasAheadExpire(stays: Bool) async throws {
        let town = try await ServiceTown()
        town.clock.setBack(bySeconds: -Self.tenYears)
        let ahead = try await session(town, stays: stays)
        #expect(isValid(ahead, town))
        town.clock.setBack(bySeconds: Self.tenYears)
        // It was made in the future.
        #expect(!isValid(ahead, town))
        let session = try await session(town, stays: stays)
        #expect(isValid(session, town))
        town.clock.advance(bySeconds: stays ? Accounts.signedInSeconds : Accounts.idleSeconds)
        #expect(!isValid(session, town))
    }

    /// What had expired while the clock was ahead does not become valid again, whether anyone used it then or not.
    @Test(arguments: [true, false])
    func whatHasExpiredStaysSo(isUsed: Bool) async throws {
        let town = try await ServiceTown()
        let session = try await session(town, stays: true)
        let token = try await give(.api, .apiToken, town, lasting: 30 * 86_400)
        let unlimited = try await give(.api, .apiToken, town, lasting: nil)
        #expect(isValid(session, town) && isValid(token, town) && isValid(unlimited, town))
        town.clock.setBack(bySeconds: -100 * 86_400)
        if isUsed {
            #expect(!isValid(session, town) && !isValid(token, town))
        } else {
            #expect(isValid(unlimited, town))
        }
        town.clock.setBack(bySeconds: 100 * 86_400)
        #expect(!isValid(session, town) && !isValid(token, town) && isValid(unlimited, town))
        // Not only in memory: a start deletes nothing that is valid, and finds nothing that has expired.
        _ = try await town.store.write(by: .local) { $0.deleteCredential(0) }
        for digest in [session.digest, token.digest] {
            #expect(town.town.credentials[digest: digest] == nil)
        }
    }

    /// A machine that starts in 1970 logs nobody out; until its clock is right, sessions are not valid.
    @Test func aClockThatIsBehindEndsNothing() async throws {
        let town = try await ServiceTown()
        let session = try await session(town, stays: true)
        town.clock.setBack(bySeconds: 50 * Self.tenYears / 10)
        #expect(!isValid(session, town))
        town.clock.setBack(bySeconds: -50 * Self.tenYears / 10)
        #expect(isValid(session, town))
        // Five minutes are no fault.
        town.clock.setBack(bySeconds: 299)
        #expect(isValid(session, town))
        town.clock.setBack(bySeconds: 2)
        #expect(!isValid(session, town))
    }

    @Test func linksExpireByTheClock() async throws {
        let town = try await ServiceTown()
        town.clock.setBack(bySeconds: -Self.tenYears)
        let ahead = try await town.service.issuePasswordReset(of: 4, for: town.context(.local)).token
        town.clock.setBack(bySeconds: Self.tenYears)
        #expect(throws: ServiceError.self) {
            try town.service.link(ahead.reveal(), for: .passwordReset, in: town.town)
        }
        let link = try await town.service.issuePasswordReset(of: 4, for: town.context(.local)).token
        #expect(try town.service.link(link.reveal(), for: .passwordReset, in: town.town).person == 4)
        town.clock.advance(bySeconds: 24 * 3600)
        #expect(throws: ServiceError.self) {
            try town.service.link(link.reveal(), for: .passwordReset, in: town.town)
        }
        town.clock.setBack(bySeconds: 3600)
        #expect(throws: ServiceError.self) {
            try town.service.link(link.reveal(), for: .passwordReset, in: town.town)
        }
    }

    /// The receipt of a clock that was ahead does not stand for a request that is sent again years later.
    @Test func receiptsExpireByTheClock() async throws {
        let town = try await ServiceTown()
        func create() async throws -> Int {
            let key = IdempotencyKey(text: "k", fingerprint: "f")
            let context = town.context(.local, key: key)
            let input = PatchInput<SookeModel.Category> { $0.name = "Cafes \(town.town.categories.count)" }
            return try #require(
                try await town.service.run(town.service.createRecord(input, for: context), for: context).record
            )
            .id
        }
        town.clock.setBack(bySeconds: -Self.tenYears)
        let ahead = try await create()
        #expect(try await create() == ahead)
        town.clock.setBack(bySeconds: Self.tenYears)
        let first = try await create()
        #expect(first != ahead)
        #expect(try await create() == first)
        town.clock.advance(bySeconds: 86_401)
        #expect(try await create() != first)
    }
}
