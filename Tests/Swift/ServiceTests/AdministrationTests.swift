import SookeModel
import Store
import Testing

@testable import Service

/// Imports, as far as they do not depend on formats.
@Suite struct AdministrationTests {
    private typealias Step = @Sendable (inout WriteTransaction) throws -> Void

    /// The changes of an import, and whether they are those of an editor.
    private static let steps: [(name: String, isPublic: Bool, step: Step)] = [
        ("nothing", true, { _ in }),
        ("a category", true, { try $0.create(Patch<SookeModel.Category> { $0.name = "Shops" }) }),
        ("an event type", true, { try $0.create(Patch<EventType> { $0.name = "Films" }) }),
        ("a business", true, { try $0.update(1, Patch<Business> { $0.phone = "1" }) }),
        ("an event", true, { try $0.update(1, Patch<Event> { $0.name = "Contest" }) }),
        ("an owner", false, { try $0.update(1, Patch<Business> { $0.ownerID = 5 }) }),
        (
            "a business with an owner", false,
            { transaction in
                try transaction.create(
                    Patch<Business> { business in
                        (business.name, business.address, business.ownerID) = ("Kiosk", "1 A", 5)
                        (business.latitude, business.longitude) = (48, -123)
                    })
            }
        ),
        ("a person", false, { try $0.create(Patch<Person> { $0.email = "una@town.example" }) }),
        ("a role", false, { try $0.update(5, Patch<Person> { $0.role = .superAdmin }) }),
        ("the settings", false, { try $0.upsert(Patch<Settings> { $0.name = "Otter" }) }),
        ("a token", false, { $0.deleteCredential(1) }),
    ]

    /// With any file an editor changes neither accounts nor owners nor the settings by an import.
    @Test(arguments: [false, true])
    func anEditorImportsPublicData(isDryRun: Bool) async throws {
        for (name, isPublic, step) in Self.steps {
            for caller in [TestCaller.edda, .ada, .local] {
                let town = try await ServiceTown()
                let before = town.store.current.sequence
                let result = await town.word(of: caller, isDryRun: isDryRun, step)
                let isDone = isPublic || caller != .edda
                #expect(result == (isDone ? "done" : "forbidden"), "\(name), \(caller)")
                let changes = isDone && !isDryRun && name != "nothing"
                #expect(town.store.current.sequence == before + (changes ? 1 : 0), "\(name), \(caller)")
            }
        }
    }

    /// A super admin who has become an editor when the import gets its turn imports nothing: the file was checked for
    /// one who may import everything.
    @Test func theRoleIsCheckedAgain() async throws {
        let town = try await ServiceTown()
        let context = town.context(.ada)
        _ = try await town.store.write(by: .local) { try $0.update(1, Patch<Person> { $0.role = .editor }) }
        await #expect(throws: ServiceError.self) {
            try await town.service.importData(isDryRun: false, for: context) { transaction in
                try transaction.create(Patch<SookeModel.Category> { $0.name = "Shops" })
                return [UInt8]()
            }
        }
        #expect(town.town.categories[Slug("shops")] == nil)
    }
}

extension ServiceTown {
    /// The result of an import, in short.
    fileprivate func word(
        of caller: TestCaller, isDryRun: Bool, _ step: @escaping @Sendable (inout WriteTransaction) throws -> Void
    ) async -> String {
        do throws(ServiceError) {
            _ = try await service.importData(isDryRun: isDryRun, for: context(caller)) { transaction in
                try step(&transaction)
                return [UInt8]()
            }
            return "done"
        } catch {
            return error.word
        }
    }
}
