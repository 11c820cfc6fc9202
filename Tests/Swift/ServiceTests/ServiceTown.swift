import Bytes
import Foundation
import Platform
import SookeModel
import Store
import TestSupport
import Testing

@testable import Service

/// The callers in the tests of use cases.
enum TestCaller: Int, CaseIterable, Sendable {
    /// A super admin.
    case ada = 1
    /// The owner of the business `zeds`, and of `den`, which is not listed.
    case olga
    /// The owner of the business `anchor`.
    case otto
    /// A general user, who submitted the events `quiz` and `walk`.
    case mia
    /// An editor, who owns nothing.
    case edda
    /// Without an account.
    case nobody
    /// The owner of the server, over the local socket.
    case local

    static let accounts: [TestCaller] = [.ada, .olga, .otto, .mia, .edda]

    var caller: Caller {
        switch self {
        case .nobody: .anonymous
        case .local: .owner
        default: Caller(proof: .token(credential: rawValue, person: rawValue, scope: .admin))
        }
    }
}

/// The use cases of a small town in a real folder, without HTTP. Its clock starts at 2026-11-21T09:30:00Z.
final class ServiceTown {
    private(set) var store: Store
    private(set) var service: TownService
    let clock = TestClock()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-service-\(UUID().uuidString)")

    /// - Parameter history: of at most so many bytes; nil for all.
    init(
        history: Int? = nil, bytesPerDay: @escaping @Sendable (TownLimits.Payer) -> Int = \.bytesPerDay
    ) async throws {
        let limits = TownLimits(clock: clock.source, bytesPerDay: bytesPerDay)
        (store, service) = try Self.open(folder, clock, limits, history: history)
        let clock = clock
        _ = try await store.write(by: .local) { transaction in try Self.fill(&transaction, at: clock.now) }
    }

    /// Closes the store, and starts the service again on its folder.
    func restart() async throws {
        try await store.close()
        (store, service) = try Self.open(folder, clock, TownLimits(clock: clock.source))
    }

    private static func open(
        _ folder: URL, _ clock: TestClock, _ limits: TownLimits, history: Int? = nil
    ) throws -> (Store, TownService) {
        var options = StoreOptions(now: { clock.now }, onFailure: { _ in })
        if let history { options.journal.pruning = .olderThan(nil, beyond: history) }
        let store = try Store.open(folder.path, options: options).store
        let zones = TimeZones(file: TimeZoneDatabase().file(named:))
        let service = TownService(
            store: store, clock: clock.source, zones: zones, zone: try zones.zone(named: "America/Vancouver"),
            url: "https://town.example", limits: limits)
        return (store, service)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private static func fill(_ transaction: inout WriteTransaction, at now: Timestamp) throws {
        try transaction.create(Patch<SookeModel.Category> { $0.name = "Bars" })
        try transaction.create(Patch<SookeModel.Category> { $0.name = "Unused" })
        try transaction.create(Patch<EventType> { $0.name = "Sports" })
        for (caller, role) in zip(
            TestCaller.accounts, [Person.Role.superAdmin, .businessOwner, .businessOwner, .generalUser, .editor])
        {
            try transaction.create(Patch<Person> { ($0.email, $0.role) = ("\(caller)@town.example", role) })
            var session = Credential()
            (session.purpose, session.person, session.digest) = (.session, caller.rawValue, "\(caller)")
            (session.createdAt, session.expiresAt) = (now, now.advanced(bySeconds: 3600))
            transaction.put(session)
        }
        for (name, owner, category) in [("Zeds", 2, "bars"), ("Anchor", 3, "bars"), ("Den", 2, nil)] {
            try transaction.create(
                Patch<Business> { business in
                    (business.name, business.ownerID, business.category) = (name, owner, category.map(Slug.init(_:)))
                    (business.address, business.latitude, business.longitude) = ("1 A", 48, -123)
                })
        }
        for (name, status) in [("Quiz", Event.Status.pendingReview), ("Walk", .rejected), ("Gig", .approved)] {
            try transaction.create(
                Patch<Event> { event in
                    (event.name, event.eventType, event.business) = (name, Slug("sports"), Slug("zeds"))
                    (event.startsAt, event.submittedBy, event.status) = (later, 4, status)
                })
        }
    }

    static let later = Timestamp(clampingSeconds: 1_900_000_000)

    /// The context of a request.
    func context(
        _ caller: TestCaller, _ precondition: Precondition = Precondition(), key: IdempotencyKey? = nil,
        from address: [UInt8] = [192, 0, 2, 1]
    ) -> RequestContext {
        RequestContext(
            caller: caller.caller, isSuperAdmin: caller.caller.isSuperAdmin(in: town),
            network: ClientNetwork(addressBytes: address), version: store.current,
            precondition: precondition, key: key, subject: AuditSubject())
    }

    var town: Town { store.current.town }

    /// Runs a use case as a caller. Returns the result in short, such as `forbidden` or `invalid name slug`.
    func result(
        of caller: TestCaller, from address: [UInt8] = [192, 0, 2, 1],
        _ useCase: (RequestContext) -> Transaction<Outcome>
    ) async -> String {
        let context = context(caller, from: address)
        do throws(ServiceError) {
            return try await service.run(useCase(context), for: context).word
        } catch {
            return error.word
        }
    }

    /// Expects the result of a use case in short.
    func expect(
        _ word: String, of caller: TestCaller, at location: SourceLocation = #_sourceLocation,
        _ useCase: (RequestContext) -> Transaction<Outcome>
    ) async {
        #expect(await result(of: caller, useCase) == word, sourceLocation: location)
    }

    /// Runs a use case as a caller, and returns the record afterwards.
    func record(
        of caller: TestCaller, _ useCase: (RequestContext) -> Transaction<Outcome>
    ) async throws -> Joined {
        let context = context(caller)
        return try #require(try await service.run(useCase(context), for: context).record)
    }
}

extension Patch {
    /// The fields of a record that differ from those of an empty one.
    init(_ set: (inout Value) -> Void) {
        self.init()
        set(&values)
        fields = values.difference(from: Value())
    }
}

extension PatchInput {
    /// The fields of a record that differ from those of an empty one.
    init(_ set: (inout Value) -> Void) {
        self.init(Patch(set))
    }
}

extension Outcome {
    var word: String {
        switch self {
        case .created: "created"
        case .updated: "updated"
        case .deleted: "deleted"
        }
    }

    var record: Joined? {
        switch self {
        case .created(let record), .updated(let record): record
        case .deleted: nil
        }
    }
}

extension Joined {
    var id: Int { record.id }
    var digest: UInt64 { record.digest }
    var business: Business? { record.value as? Business }
    var event: Event? { record.value as? Event }
    var person: Person? { record.value as? Person }
    var proposal: Proposal? { record.value as? Proposal }
    var category: SookeModel.Category? { record.value as? SookeModel.Category }
}

extension ServiceError {
    /// The case, with the names of the invalid fields.
    var word: String {
        switch self {
        case .invalid(let problems): (["invalid"] + problems.all.map(\.field).sorted()).joined(separator: " ")
        case .limited(let limit, _): "limited " + "\(limit)".prefix { $0 != "(" }
        default: String("\(self)".prefix { $0 != "(" })
        }
    }
}
