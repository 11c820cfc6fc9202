import Service
import SookeModel
import Store
import Testing

/// Categories and event types.
@Suite struct TermsTests {
    typealias Category = SookeModel.Category

    /// Callers who create, change and delete a category, and the results.
    @Test(arguments: [
        (TestCaller.ada, "created", "updated", "deleted"), (.local, "created", "updated", "deleted"),
        (.edda, "created", "updated", "deleted"),
        (.olga, "forbidden", "forbidden", "forbidden"), (.mia, "forbidden", "forbidden", "forbidden"),
        (.nobody, "loginRequired", "loginRequired", "loginRequired"),
    ])
    func permissions(caller: TestCaller, creation: String, change: String, deletion: String) async throws {
        let town = try await ServiceTown()
        let input = PatchInput<Category> { $0.name = "Libraries" }
        #expect(await town.result(of: caller) { town.service.createRecord(input, for: $0) } == creation)
        let renamed = PatchInput<Category> { $0.name = "Empty" }
        #expect(await town.result(of: caller) { town.service.updateRecord(Slug("unused"), renamed, for: $0) } == change)
        #expect(
            await town.result(of: caller) {
                town.service.deleteRecord(Slug("unused"), of: Category.self, for: $0)
            } == deletion)
    }

    @Test func refusals() async throws {
        let town = try await ServiceTown()
        let rows: [(String, String, PatchInput<Category>)] = [
            ("bars", "invalid name", PatchInput { $0.name = " " }),
            ("nothing", "notFound", PatchInput { $0.name = "x" }),
            ("bars", "nameTaken", PatchInput { $0.name = "Unused" }),
            ("bars", "slugTaken", PatchInput { $0.slug = Slug("unused") }),
            ("bars", "invalid id name", PatchInput { ($0.id, $0.name) = (9, " ") }),
        ]
        let before = town.store.current.sequence
        for (slug, result, input) in rows {
            #expect(await town.result(of: .ada) { town.service.updateRecord(Slug(slug), input, for: $0) } == result)
        }
        await town.expect("inUse", of: .ada) { town.service.deleteRecord(Slug("bars"), of: Category.self, for: $0) }
        #expect(town.store.current.sequence == before)
    }
}
