import Service
import SookeModel
import Store
import Testing

/// Categories and event types.
@Suite struct TermsTests {
    typealias Category = SookeModel.Category

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
