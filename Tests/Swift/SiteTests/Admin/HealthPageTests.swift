import Bytes
import Foundation
import Service
import SookeModel
import Testing

@testable import Site

/// What administrators read of the town and its server; which findings there are is in `HealthFindingTests`.
@Suite struct HealthPageTests {
    /// A failed backup is first, with why and what to do; the page of an account names it.
    @Test func saysWhatIsBrokenAndWhatToDo() async throws {
        let now = try #require(Timestamp(rfc3339: "2026-11-23T16:12:00-08:00"))
        var last = LastBackup()
        (last.at, last.failure) = (now.advanced(bySeconds: -600), (now.advanced(bySeconds: -30), "the disk is <full>"))
        last.check = (now, "it restores", true)
        let town = try await SiteTown(lastBackup: last)
        let cookie = try await town.logIn(13)
        let page = try await town.page("/admin", cookie: cookie)
        #expect(
            page.main.words.contains(
                "Backup broken A backup failed less than a minute ago: the disk is &lt;full&gt;. The last one was 10 "
                    + "minutes ago. Mend what is named there, then try again: systemctl start sooke-backup"))
        let keys = page.parts(between: "data-key=\"", and: "\"")
        #expect(keys.first == "backup" && keys.contains("restore") && keys.last == "version")
        #expect(page.contains("data-until=\"\(now.seconds + 30)\""), "it looks again by itself")
        #expect(page.addresses.contains("/account/waiting") && page.addresses.contains("/admin/people"))
        #expect(try await town.page("/account", cookie: cookie).main.words.contains("Look after it Broken: backup"))
        #expect(try await !town.page("/account", cookie: town.logIn(12)).main.words.contains("Look after it"))
    }

    /// A town that needs no backup has nothing to say of one.
    @Test func aDemoNeedsNoBackup() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let keys = try await town.page("/admin", cookie: cookie).parts(between: "data-key=\"", and: "\"")
        #expect(!keys.contains("backup") && !keys.contains("restore") && keys.contains("disk"))
    }

    /// Administrators see the backup that a start has made before it wrote a newer format, until they delete it.
    @Test func namesTheBackupInTheFormatBefore() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let file = town.store.folder + "/before-format-4.json"
        try #require(FileManager.default.createFile(atPath: file, contents: nil))
        let words = "The file \(file) has the town as the earlier version of sooke left it"
        #expect(try await town.page("/admin", cookie: cookie).main.words.contains(words))
    }
}
