import HTTP
import SookeModel
import Testing

@testable import API
@testable import Exchange
@testable import Store

/// A kind of record that is declared outside of the server passes through all of it: nothing lists the kinds by hand.
///
/// The test runs in a process of its own, because the kinds are fixed once a town was made. Swift Testing does not say
/// which line of it failed; with `do {` instead, and no other test, it does.
@Suite struct ThrowAwayKindTests {
    /// The tables of people: one without the columns of a place.
    private static let table = """
        name,surface,kilometres,category
        Sea Walk,gravel,4,Bars
        Upper Hill,,2,

        """

    /// A town with the records of the table.
    private static func town() async throws -> TestTown {
        let town = try await TestTown.withAccounts(kinds: API.kinds + [Trail.self])
        let files = Import(files: [ImportFile(name: "trails.csv", bytes: Array(table.utf8))])
        let report = try await town.store.write(by: .local) { try files.apply(to: &$0) }.result
        #expect(report[Trail.kind].created == 2, "imported from a table")
        return town
    }

    @Test func itIsListedShownAndChanged() async {
        await #expect(processExitsWith: .success) {
            Town.Tables.add(Trail.self)
            let town = try await Self.town()
            let list = try await town.ask(.get, "/api/v1/trails")
            #expect(
                list.text
                    == #"{"items":[{"id":1,"name":"Sea Walk","slug":"sea-walk","surface":"gravel","kilometres":4},"#
                    + #"{"id":2,"name":"Upper Hill","slug":"upper-hill","surface":null,"kilometres":2}]}"#)
            let patched = try await town.ask(.patch, "/api/v1/trails/sea-walk", body: #"{"surface":"roots"}"#)
            #expect(patched.status == .ok && patched.text.contains(#""surface":"roots""#), "\(patched.text)")
            let shown = try await town.ask(.get, "/api/v1/trails/sea-walk")
            #expect(shown.text == patched.text)
            let unknown = try await town.ask(.patch, "/api/v1/trails/sea-walk", body: #"{"from_the_future":1}"#)
            #expect(unknown.status == .unprocessableContent && unknown.text.contains("from_the_future"))
            let noCategory = try await town.ask(.patch, "/api/v1/trails/sea-walk", body: #"{"category":"none"}"#)
            #expect(noCategory.text.contains(#"there is no category \"none\""#), "\(noCategory.text)")
            #expect(try await town.ask(.patch, "/api/v1/categories/bars", body: #"{"slug":"pubs"}"#).status == .ok)
            let trail = try #require(Trail.find(Slug("sea-walk"), in: town.store.current.town))
            #expect(trail.category == Slug("pubs"), "its references follow")
            let stranger = try await town.send(.patch, "/api/v1/trails/sea-walk", body: #"{"surface":"ice"}"#)
            #expect(stranger.status == .unauthorized)
            let added = try await town.ask(.post, "/api/v1/trails", body: #"{"name":"Third"}"#)
            #expect(added.status == .created)
            #expect(try await town.ask(.delete, "/api/v1/trails/third").status == .noContent)
            #expect(try await town.ask(.get, "/api/v1/trails/third").status == .notFound)
            let history = try await town.ask(.get, "/api/v1/history?of=trails/sea-walk")
            #expect(history.text.contains(#"{"field":"surface","before":"gravel","after":"roots"}"#))
            let description = try await town.ask(.get, "/openapi.json")
            #expect(description.text.contains(#""/api/v1/trails/{slug}""#) && description.text.contains("kilometres"))
        }
    }
}
