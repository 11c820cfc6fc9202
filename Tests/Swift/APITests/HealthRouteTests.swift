import Foundation
import HTTP
import TestSupport
import Testing

/// Health and status when there is a problem that does not prevent reads and writes.
@Suite struct HealthRouteTests {
    private static let sound = #"{"status":"ok","db_status":"connected"}"#
    private static let noSnapshot =
        #"{"status":"ok","db_status":"connected","snapshot":{"status":"failed","since":"2026-11-21T09:30:00Z"}}"#
    private static let damaged =
        #"{"status":"ok","db_status":"connected","storage":{"status":"damaged","since":"2026-11-21T09:30:00Z"}}"#

    private func health(of town: TestTown) async throws -> String {
        let response = try await town.send(.get, "/api/v1/health")
        #expect(response.status == .ok)
        return String(decoding: response.body, as: UTF8.self)
    }

    @Test(arguments: [
        (ENOSPC, 507, "disk_full"), (EDQUOT, 507, "disk_full"), (EMFILE, 503, "snapshot_failed"),
    ])
    func aSnapshotThatCannotBeWritten(code: Int32, status: Int, name: String) async throws {
        let disk = FullFileSystem(refusing: "snapshot-", code: code)
        let town = try await TestTown(fileSystem: disk)
        #expect(try await health(of: town) == Self.sound)
        disk.fill()
        let response = try await town.send(.post, "/api/v1/admin/snapshot", from: TestTown.owner)
        #expect(response.status.code == status)
        #expect(response.headers.first("Retry-After") == "60")
        let body = String(decoding: response.body, as: UTF8.self)
        #expect(body.contains(#"{"error":{"code":"\#(name)""#))
        #expect(!body.contains("/"))
        #expect(try await health(of: town) == Self.noSnapshot)
        disk.makeRoom()
        #expect(try await town.send(.post, "/api/v1/admin/snapshot", from: TestTown.owner).status == .ok)
        #expect(try await health(of: town) == Self.sound)
    }

    /// A server that cannot write is alive, and not ready.
    @Test func aLogThatCannotBeWritten() async throws {
        let disk = FullFileSystem(refusing: "", code: ENOSPC)
        let town = try await TestTown.peopled(fileSystem: disk)
        for (isFull, statuses) in [(false, [200, 200, 200]), (true, [503, 503, 200])] {
            if isFull {
                disk.fill()
                let change = try await town.send(.patch, "/api/v1/users/4", as: .ada, body: #"{"display_name":"M"}"#)
                #expect(change.status.code == 507)
            }
            for (path, status) in zip(["/api/v1/health", "/ready", "/live"], statuses) {
                #expect(try await town.send(.get, path).status.code == status, "\(path)")
            }
        }
        disk.makeRoom()
    }

    @Test func damageInTheFiles() async throws {
        let town = try await TestTown()
        town.store.recordDamage("wal-1.log, line 2: the checksum is not that of the line")
        #expect(try await health(of: town) == Self.damaged)
        town.store.recordDamage(nil)
        #expect(try await health(of: town) == Self.sound)
    }
}
