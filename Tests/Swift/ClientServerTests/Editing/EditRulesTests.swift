import Foundation
import HTTP
import Testing

@testable import SookeClient

/// The problems of a draft are those of the server: the same inputs, in both.
@Suite struct EditRulesTests {
    private static func details<Field: DraftField>(_ town: ClientTown, _ slug: String) async throws -> Edit<Field> {
        let response = try await town.send(.get, Field.path(of: slug))
        let record = try JSONDecoder().decode(JSONValue.self, from: Data(response.body))
        return Edit(try RecordVersion(record, response.headers.first("ETag")))
    }

    /// The problems that the server finds in the changes of an edit; nil if it accepts them.
    private static func refusals<Field: DraftField>(
        _ town: ClientTown, _ edit: Edit<Field>
    ) async throws -> [String: String] {
        let body = try JSONEncoder().encode(edit.mine.members(edit.changes))
        let response = try await town.send(
            .patch, Field.path(of: edit.slug), [("Content-Type", "application/json")],
            body: String(decoding: body, as: UTF8.self))
        if response.status.code == 200 { return [:] }
        #expect(response.status.code == 422)
        let error = try JSONDecoder().decode(APIErrorResponse.self, from: Data(response.body)).error
        return error.fields ?? [:]
    }

    private static let long = String(repeating: "é", count: 501)

    private static func text(_ length: Int) -> String { String(repeating: "1", count: length) }

    /// Values of a text field of a business.
    @Test(
        arguments: [
            (.name, ["", " ", "\u{3000}", "a", long, "a\0b", "e\u{301}"]),
            (.description, ["", " ", text(10_000), text(10_001), "\0"]), (.address, ["", "\n", "1 A", text(1_001)]),
            (.phone, ["", "1", text(50), text(51), "\0"]),
            (
                .email,
                [
                    "", "a@b", "a@b.c", "@b", "a@", "a b@c.d", "a@b@c", "<a@b.c>", "a,b@c.d", "a@b..c", long + "@b.c",
                    "\0",
                ]
            ),
            (
                .website,
                [
                    "", "x", "http://a", "HTTPS://a.b/c d", "https://", "ftp://a.b", "https://a..b", "https://a.b/é",
                    long,
                ]
            ),
            (.latitude, ["", "0", "-90", "90.0001", "-91", "x", "1e3", "nan", "0x1p3", "1e999", "48,5", " 48", "-0"]),
            (.longitude, ["", "180", "-180.5", "+7", ".5", "5.", "٣"]),
        ] as [(BusinessField, [String])])
    func texts(field: BusinessField, values: [String]) async throws {
        let town = try await ClientTown.small()
        for value in values {
            var edit: Edit<BusinessField> = try await Self.details(town, "pub")
            edit.mine[field] = value
            #expect(try await Self.refusals(town, edit) == edit.problems, "\(field) \(value.debugDescription)")
        }
    }

    @Test(
        arguments: [
            [(1, "09:00", "17:00", false)], [(1, "9:00", "17:00", false)], [(1, "24:00", "24:00:00", false)],
            [(1, "25:00", "", false)], [(7, "09:00", "17:00", false)], [(-1, "x", "y", true)],
            [(1, "x", "y", true)], [(2, "09:00", "10:00", false), (2, "11:00", "12:00", false)],
            [(5, "09:00", "10:00", false), (1, "x", "12:00", false), (5, "09:00", "10:61", false)],
            [(6, "09:00", "10:00", false), (6, "09:00", "10:00", true), (0, "09:00", "10:00", false)], [],
        ] as [[(Int, String, String, Bool)]])
    func hours(rows: [(Int, String, String, Bool)]) async throws {
        let town = try await ClientTown.small()
        var edit: Edit<BusinessField> = try await Self.details(town, "pub")
        edit.mine.hours = rows.map { BusinessHour(dayOfWeek: $0.0, openTime: $0.1, closeTime: $0.2, isClosed: $0.3) }
        #expect(try await Self.refusals(town, edit) == edit.problems)
    }

    /// A value that was stored under earlier rules is not a problem until it changes.
    @Test func whatWasStoredBefore() {
        let record = JSONValue.object(["slug": .string("a"), "name": .string(""), "email": .string("x")])
        guard let version = try? RecordVersion<BusinessField>(record, nil) else { return #expect(Bool(false)) }
        var edit = Edit(version)
        edit.mine.phone = "1"
        #expect(edit.problems.isEmpty)
        edit.mine.email = "y"
        #expect(edit.problems.keys.sorted() == ["email"])
    }

    /// Fields of the event at the pub, and of the one at a beach.
    @Test(
        arguments: [
            ("concert", [(.startsAt, "")]), ("concert", [(.startsAt, "tomorrow")]), ("concert", [(.endsAt, "x")]),
            ("concert", [(.endsAt, "2035-06-01T19:00:00-07:00")]), ("concert", [(.endsAt, "2001-01-01T00:00:00Z")]),
            ("concert", [(.latitude, "48")]), ("concert", [(.business, "")]),
            ("concert", [(.business, ""), (.latitude, "48")]),
            ("concert", [(.business, ""), (.latitude, "48"), (.longitude, "-123")]), ("concert", [(.eventType, "")]),
            ("concert", [(.name, " "), (.description, "\0")]), ("picnic", [(.latitude, "")]),
            ("picnic", [(.latitude, ""), (.longitude, "")]), ("picnic", [(.business, "pub")]),
            ("picnic", [(.startsAt, "2035-06-02T22:00:00Z")]), ("picnic", [(.endsAt, "")]),
            ("picnic", [(.longitude, "-200")]),
        ] as [(String, [(EventField, String)])])
    func events(slug: String, values: [(EventField, String)]) async throws {
        let town = try await ClientTown.small()
        var edit: Edit<EventField> = try await Self.details(town, slug)
        for (field, value) in values { edit.mine[field] = value }
        #expect(try await Self.refusals(town, edit) == edit.problems)
    }
}
