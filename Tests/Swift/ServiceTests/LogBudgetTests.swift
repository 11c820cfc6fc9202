import Platform
import SookeModel
import Store
import TestSupport
import Testing

@testable import Service

/// The bytes that accounts and strangers add to the log in a day.
@Suite struct LogBudgetTests {
    private static func limits(_ clock: TestClock = TestClock()) -> TownLimits {
        TownLimits(clock: clock.source) { payer in
            switch payer {
            case .account: 100
            case .logins: 50
            case .network, .sender: 60
            case .strangers, .proposals: 150
            }
        }
    }

    private static func network(_ number: UInt8) -> ClientNetwork { ClientNetwork(addressBytes: [192, 0, 2, number]) }

    private static func isAdmitted(_ limits: TownLimits, _ payers: [TownLimits.Payer]) -> Bool {
        do throws(ServiceError) {
            try limits.requireBytes(of: payers)
            return true
        } catch {
            return false
        }
    }

    @Test func eachPayerHasItsOwnLimit() {
        let limits = Self.limits()
        limits.addBytes(99, to: [.account(1)])
        #expect(Self.isAdmitted(limits, [.account(1)]))
        limits.addBytes(1, to: [.account(1)])
        #expect(!Self.isAdmitted(limits, [.account(1)]))
        #expect(Self.isAdmitted(limits, [.account(2), .logins(1)]))
        // What did not get onto the disk does not count.
        limits.addBytes(-1, to: [.account(1)])
        #expect(Self.isAdmitted(limits, [.account(1)]))
        limits.addBytes(60, to: [.network(Self.network(1)), .strangers])
        #expect(!Self.isAdmitted(limits, [.network(Self.network(1)), .strangers]))
        #expect(Self.isAdmitted(limits, [.network(Self.network(2)), .strangers]))
        for number: UInt8 in 2...3 { limits.addBytes(59, to: [.network(Self.network(number)), .strangers]) }
        #expect(!Self.isAdmitted(limits, [.network(Self.network(4)), .strangers]))
        #expect(Self.isAdmitted(limits, [.logins(1)]))
    }

    /// Who has used up far more than a day's bytes waits for a day; then they come back evenly.
    @Test func theyComeBackWithinADay() throws {
        let clock = TestClock()
        let limits = Self.limits(clock)
        limits.addBytes(1_000, to: [.account(1)])
        let error = try #require(throws: ServiceError.self) { try limits.requireBytes(of: [.account(1)]) }
        guard case .limited(.logBytes(100), let seconds) = error else { throw error }
        #expect(86_400...90_000 ~= seconds)
        clock.advance(bySeconds: seconds - 1)
        #expect(!Self.isAdmitted(limits, [.account(1)]))
        clock.advance(bySeconds: 1)
        #expect(Self.isAdmitted(limits, [.account(1)]))
    }

    /// A change of a few bytes logs the whole business; an import by an administrator, and the socket, have no limit.
    @Test func changesCountAsTheirLinesInTheLog() async throws {
        let town = try await ServiceTown { payer in if case .account = payer { 20_000 } else { payer.bytesPerDay } }
        let text = String(repeating: "x", count: 4_000)
        func result(_ caller: TestCaller, _ phone: Int) async -> String {
            await town.result(of: caller) { context in
                let input = PatchInput<Business> { ($0.description, $0.phone) = (text, "\(phone)") }
                return town.service.updateBusiness(Slug("zeds"), input, for: context)
            }
        }
        var results: [String] = []
        for number in 0..<10 { results.append(await result(.olga, number)) }
        #expect(results == Array(repeating: "updated", count: 5) + Array(repeating: "limited logBytes", count: 5))
        #expect(await result(.local, 10) == "updated")
        #expect(await result(.ada, 11) == "updated")
        for number in 0..<10 {
            _ = try await town.service.importData(isDryRun: false, for: town.context(.ada)) { transaction in
                let patch = Patch<Business> { ($0.slug, $0.phone) = (Slug("zeds"), "\(100 + number)") }
                try transaction.upsert(patch)
                return [UInt8]()
            }
        }
        #expect(await result(.ada, 12) == "updated")
        // The import of an editor counts as their change.
        _ = try await town.service.importData(isDryRun: false, for: town.context(.edda)) { transaction in
            try transaction.upsert(Patch<Business> { ($0.slug, $0.email) = (Slug("zeds"), "zed@town.example") })
            for number in 0..<5 {
                try transaction.upsert(Patch<Business> { ($0.slug, $0.phone) = (Slug("zeds"), "\(200 + number)") })
            }
            return [UInt8]()
        }
        #expect(await result(.edda, 12) == "limited logBytes")
        // An account that has used up its changes can still log in.
        let password = "plum-ladder-oxide-42"
        try await town.service.setPassword(password, of: 2, keepingTokens: false, for: town.context(.local))
        _ = try await town.service.logIn(
            "olga@town.example", password: password, staysSignedIn: false, for: town.context(.nobody))
        town.clock.advance(bySeconds: 86_400)
        #expect(await result(.local, 13) == "updated")
    }

    /// Logins of strangers with the right password are bounded, by network and for the account.
    @Test func loginsAreBounded() async throws {
        let town = try await ServiceTown { payer in if case .logins = payer { 3_000 } else { payer.bytesPerDay } }
        let password = "plum-ladder-oxide-42"
        try await town.service.setPassword(password, of: 2, keepingTokens: false, for: town.context(.local))
        var words: [String] = []
        for _ in 0..<20 {
            do throws(ServiceError) {
                _ = try await town.service.logIn(
                    "olga@town.example", password: password, staysSignedIn: false, for: town.context(.nobody))
                words.append("done")
            } catch {
                words.append(error.word)
            }
        }
        #expect(words.first == "done" && words.last == "limited logBytes")
    }
}
