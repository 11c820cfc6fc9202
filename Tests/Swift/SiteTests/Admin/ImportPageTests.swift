import Bytes
import Foundation
import HTTP
import SookeModel
import Testing

@testable import Exchange
@testable import Service
@testable import Site

/// Files by a page: they are checked, corrected, imported and undone, each step at its own address.
@Suite struct ImportPageTests {
    private static let table = """
        name,category,address,latitude,longitude,Phone,Colour
        Net Loft,Bars,12 Otter Rd,48.3741,-123.7262,250-555-0142,red
        Mill,Mills,13 Otter Rd,48.3742,-123.7263,,blue
        Zed's,Bars,1 Wharf Road,48.375,-123.725,250-555-0199,

        """

    private static func body(_ content: String, name: String? = "shops.csv") -> String {
        let disposition = name.map { "name=\"files\"; filename=\"\($0)\"" } ?? "name=\"rows\""
        return "--b\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n\(content)\r\n--b--\r\n"
    }

    private static func upload(
        _ content: String, name: String? = "shops.csv", to town: SiteTown, _ cookie: String
    ) async throws -> String {
        let sent = try await send(body(content, name: name), to: town, cookie)
        try #require(sent.status == .seeOther, "\(sent.text)")
        return try #require(sent.headers.first("Location"))
    }

    private static func send(_ body: String, to town: SiteTown, _ cookie: String) async throws -> Response {
        let headers = [
            ("Sec-Fetch-Site", "same-origin"), ("Content-Type", "multipart/form-data; boundary=b"), ("Cookie", cookie),
        ]
        return try await town.send(.post, ImportPage.path, headers, body: body)
    }

    @Test func aTableIsCheckedMendedImportedAndUndone() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let path = try await Self.upload(Self.table, to: town, cookie)
        let before = town.store.current.sequence
        var page = try await town.page(path, cookie: cookie)
        #expect(
            page.contains("1 problem; nothing was imported") && page.contains("there is no category &#34;Mills&#34;"))
        #expect(page.contains("In 2 of 3 rows: “red”, “blue”") && !page.contains("name=\"import\""))
        #expect(page.contains("name=\"cell.0.3.1\" type=\"text\" value=\"Mills\""))
        // A cell and the name of a column are corrected.
        let mended = try await town.send(
            form: [
                ("was.cell.0.3.1", "Mills"), ("cell.0.3.1", "Bars"), ("was.cell.0.1.6", "Colour"),
                ("cell.0.1.6", "description"),
            ], to: path, cookie: cookie)
        #expect(mended.headers.first("Location") == path)
        page = try await town.page(path, cookie: cookie)
        #expect(page.contains("businesses: 2 new, 1 changed") && page.contains("<ins>250-555-0199</ins>"))
        #expect(page.contains("Net Loft") && !page.contains("Columns that we do not know"))
        let digest = try #require(page.firstMatch(of: /name="digest" value="([0-9a-f]+)"/)).1
        // Another state is shown again.
        let other = try await town.send(form: [("import", "yes"), ("digest", "0")], to: path, cookie: cookie)
        #expect(other.headers.first("Location") == path + "?done=begun")
        #expect(try await town.page(path + "?done=begun", cookie: cookie).contains("have changed since"))
        #expect(town.store.current.sequence == before)
        let done = try await town.send(form: [("import", "yes"), ("digest", String(digest))], to: path, cookie: cookie)
        #expect(done.headers.first("Location") == path + "?done=begun")
        page = try await town.page(path + "?done=begun", cookie: cookie)
        #expect(page.contains("businesses: 2 new, 1 changed") && page.contains("Imported"))
        #expect(town.store.current.town.businesses[Slug("mill")] != nil)
        let undo = try await town.undoOffered(at: path, cookie: cookie)
        _ = try await town.send(form: [], to: undo, cookie: cookie)
        #expect(town.store.current.town.businesses[Slug("mill")] == nil)
    }

    @Test func wrongRowsComeBackAsAFile() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let address = try await Self.upload(Self.table, to: town, cookie)
        let path = address + "?skip=yes"
        let digest = try #require(
            try await town.page(path, cookie: cookie).firstMatch(of: /name="digest" value="([0-9a-f]+)"/)
        ).1
        let form = [("import", "yes"), ("digest", String(digest)), ("skip", "yes")]
        let done = try #require(try await town.send(form: form, to: path, cookie: cookie).headers.first("Location"))
        let page = try await town.page(done, cookie: cookie)
        #expect(page.contains("left out: 1 of 3 records") && page.contains("shops.skipped.csv"))
        let file = try await town.page(address + "/left-out/0", cookie: cookie)
        #expect(file.split(separator: "\n").count == 2 && file.contains("Mill,Mills"))
    }

    @Test func missingCategoriesAreCreatedWhenThatIsChosen() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let path = try await Self.upload(Self.table, to: town, cookie)
        #expect(try await town.page(path + "?new=yes", cookie: cookie).contains("categories: 1 new; businesses: 2 new"))
    }

    @Test func tooMuchAtOnceIsRefusedBeforeItIsRead() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let rows = String(repeating: "a\n", count: ImportPage.mostRecords + 1)
        let sent = try await Self.send(Self.body("name\n" + rows), to: town, cookie)
        #expect(sent.status == .unprocessableContent && sent.text.contains("have 20,002 rows; at most 20,000"))
    }

    @Test func pastedRowsAreATable() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let rows = "name\tdate\ttime\r\nWalk\t2027-05-01\t10:00\r\n"
        let path = try await Self.upload(rows, name: nil, to: town, cookie)
        #expect(try await town.page(path, cookie: cookie).contains("pasted rows"))
        let nothing = try await Self.send(Self.body(" \r\n ", name: nil), to: town, cookie)
        #expect(nothing.status == .unprocessableContent && nothing.text.contains("Choose a file, or paste rows"))
        let cut = try await Self.send("--b\r\n", to: town, cookie)
        #expect(cut.status == .badRequest)
    }

    @Test func anUploadIsThatOfOnePerson() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        try await town.write([(.person, #"{"id":14,"email":"e@private.example","role":"editor"}"#)])
        let editor = try await town.logIn(14)
        let path = try await Self.upload(Self.table, to: town, cookie)
        #expect(try await town.send(.get, path, [("Cookie", editor)]).status == .notFound)
        #expect(try await town.send(.get, "/admin/import/..%2F..", [("Cookie", cookie)]).status == .notFound)
        let olga = try await town.logIn(12)
        for path in [ImportPage.path, path] {
            #expect(try await town.send(.get, path, [("Cookie", olga)]).status == .forbidden)
        }
        #expect(try await Self.send(Self.body(Self.table), to: town, olga).status == .forbidden)
        // What editors may not import is refused in words.
        let people = try await Self.upload(#"{"users":[{"email":"x@y.example"}]}"#, name: "a.json", to: town, editor)
        #expect(try await town.page(people, cookie: editor).contains("are imported by administrators only"))
    }

    /// A page of another site cannot send files.
    @Test func filesComeFromAnOwnPage() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let headers = [
            ("Sec-Fetch-Site", "cross-site"), ("Content-Type", "multipart/form-data; boundary=b"), ("Cookie", cookie),
        ]
        let sent = try await town.send(.post, ImportPage.path, headers, body: Self.body(Self.table))
        #expect(sent.status == .forbidden)
    }

    @Test func otherImportsWait() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let path = try await Self.upload(Self.table, to: town, cookie)
        let permit = try town.service.limits.admitImport()
        town.service.importProgress.update("checking", done: 1024, of: 5000)
        let page = try await town.page(path, cookie: cookie)
        #expect(page.contains("checking, 1,024 of 5,000") && page.contains("http-equiv=\"refresh\""))
        #expect(try await Self.send(Self.body(Self.table), to: town, cookie).status == .serviceUnavailable)
        permit.release()
    }

    /// The words are those that the import, or a stop of the server, has left.
    @Test func whatWentWrongIsSaidOnce() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let path = try await Self.upload(Self.table, to: town, cookie)
        let id = try #require(path.split(separator: "/").last.map(String.init))
        try town.service.uploads.store(.problem, [Array("The server stopped".utf8)], id, of: 13)
        #expect(try await town.page(path + "?done=begun", cookie: cookie).contains("stopped. Please check again"))
        #expect(try await !town.page(path, cookie: cookie).contains("stopped"))
    }

    /// What a process left is not there after a start, and what is a day old goes.
    @Test func uploadsEnd() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-uploads-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (uploads, old, new) = (Uploads(in: folder.path), Uploads.newID(), Uploads.newID())
        try uploads.store(.files, [[1], [2, 3]], old, of: 1)
        #expect(uploads.read(.files, old, of: 1) == [1, 2, 3] && uploads.read(.files, old, of: 2) == nil)
        let file = folder.appending(path: "uploads/1-\(old).files").path
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: file)
        try uploads.store(.files, [[4]], new, of: 1)
        #expect(uploads.read(.files, old, of: 1) == nil && uploads.read(.files, new, of: 1) == [4])
        Uploads(in: folder.path).keepClean()
        #expect(uploads.read(.files, new, of: 1) == nil)
        // An import that was cut off can be done again.
        try uploads.store(.files, [[5]], new, of: 1)
        try uploads.store(.problem, [[6]], new, of: 1)
        Uploads(in: folder.path).keepClean()
        #expect(uploads.read(.files, new, of: 1) == [5] && uploads.read(.problem, new, of: 1) == [6])
    }
}
