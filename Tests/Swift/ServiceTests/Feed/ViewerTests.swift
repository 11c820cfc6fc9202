import SookeModel
import Testing

@testable import Service
@testable import Store

/// What the commits of others do to a client's rights.
@Suite struct ViewerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The clients whose stream ends, and those who start over.
        let revoked: [TestCaller]
        let reset: [TestCaller]
        let step: @Sendable (inout WriteTransaction) throws -> Void

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "a person gets another role", revoked: [.mia], reset: []) {
            try $0.update(4, Patch<Person> { $0.role = .superAdmin })
        },
        Row(name: "an editor loses the role", revoked: [.edda], reset: []) {
            var patch = Patch<Person>()
            (patch.values.role, patch.fields) = (.generalUser, ["role"])
            try $0.update(5, patch)
        },
        Row(name: "a person gets another name", revoked: [], reset: []) {
            try $0.update(4, Patch<Person> { $0.displayName = "Mia" })
        },
        Row(name: "a business changes hands", revoked: [.olga, .otto], reset: []) {
            try $0.update(1, Patch<Business> { $0.ownerID = 3 })
        },
        Row(name: "a business gets another slug", revoked: [], reset: [.olga]) {
            try $0.update(1, Patch<Business> { $0.slug = Slug("zed") })
        },
        Row(name: "a business gets another name", revoked: [], reset: []) {
            try $0.update(1, Patch<Business> { $0.name = "Zed" })
        },
        Row(name: "a business is deleted", revoked: [.olga], reset: []) { try $0.deleteBusiness(1) },
        Row(name: "a session is deleted", revoked: [.otto], reset: []) { $0.deleteCredential(3) },
        Row(name: "a session is used", revoked: [], reset: []) { transaction in
            guard var session = transaction.town.credentials[3] else { return }
            session.seenAt = ServiceTown.later
            transaction.put(session)
        },
        Row(name: "a person is deleted", revoked: [.olga], reset: []) { try $0.deletePerson(2) },
    ]

    @Test(arguments: rows)
    func aCommitChangesRights(row: Row) async throws {
        let town = try await ServiceTown()
        let before = town.store.current
        _ = try await town.store.write(by: .local, row.step)
        let after = town.store.current
        let commit = try #require(after.commits(after: before.position)?.first?.changeSet)
        for caller in TestCaller.allCases {
            let effect = Viewer(caller.caller, in: before.town).effect(of: commit)
            let expected = row.revoked.contains(caller) ? "revoked" : row.reset.contains(caller) ? "reset" : "none"
            #expect("\(effect)" == expected, "\(caller)")
        }
        for caller in TestCaller.allCases {
            let (old, new) = (
                Viewer(caller.caller, in: before.town),
                Viewer(caller.caller, in: town.store.current.town)
            )
            #expect(old.hasSameRights(as: new) == !row.revoked.contains(caller), "\(caller)")
            let isSteady = row.revoked.contains(caller) || row.reset.contains(caller)
            // Someone who owns a business starts over also with other roles, when its slug changes.
            if isSteady || !new.hasAccount || row.name != "a business gets another slug" {
                #expect(old.hasSteadyRights(in: after, after: before.position) == !isSteady, "\(caller)")
            }
            #expect(old.hasSteadyRights(in: after, after: after.position))
        }
    }

    @Test func theScopeOfATokenCounts() async throws {
        let town = try await ServiceTown()
        let community = town.store.current.town
        func scope(_ caller: Caller) -> Viewer.Scope { Viewer(caller, in: community).scope }
        #expect(scope(Caller(proof: .token(credential: 1, person: 1, scope: .read))) == .person(1))
        #expect(scope(Caller(proof: .token(credential: 1, person: 1, scope: .admin))) == .all)
        #expect(scope(Caller(proof: .token(credential: 4, person: 4, scope: .admin))) == .person(4))
        #expect(scope(Caller(proof: .token(credential: 5, person: 5, scope: .read))) == .all)
        #expect(scope(Caller(proof: .token(credential: 99, person: 1, scope: .admin))) == .anyone)
        #expect(scope(.owner) == .all)
        #expect(scope(.anonymous) == .anyone)
        #expect(!Viewer(.owner, in: community).hasAccount)
    }

    /// The chain of the commits also covers private records.
    @Test(arguments: [
        (TestCaller.ada, true), (.local, true), (.edda, false), (.olga, false), (.mia, false), (.nobody, false),
    ])
    func fewMayKnowTheChain(caller: TestCaller, may: Bool) async throws {
        let town = try await ServiceTown()
        let version = town.store.current
        let viewer = Viewer(caller.caller, in: version.town)
        #expect(viewer.mayKnowChain == may)
        let text =
            "\(version.position)" + (viewer.hasAccount ? viewer.scope == .all ? ".all" : ".\(caller.rawValue)" : "")
        let position = try #require(FeedPosition(text))
        #expect((town.service.resume(from: position, for: viewer, in: version) != nil) == may)
    }
}
