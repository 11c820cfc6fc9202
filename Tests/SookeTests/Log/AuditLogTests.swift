import Foundation
import Testing

@testable import sooke

/// The audit as a file.
@Suite struct AuditLogTests {
    /// The lines that requests leave behind.
    private func lines(_ log: AuditLog, limit: Int = 100) throws -> [String] {
        try log.newest(limit).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theFileIsMadeWithTheFirstLineForItsOwnerAlone() throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(in: folder.path)
        #expect(try lines(log) == [])
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/audit.log"))
        log.note(Array((#"{"n":1}"# + "\n").utf8))
        log.close()
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/audit.log")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try folder.text(of: "audit.log") == "{\"n\":1}\n")
    }

    @Test func theNewestComeFirst() throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(in: folder.path)
        for number in 1...5 { log.note(Array((#"{"n":\#(number)}"# + "\n").utf8)) }
        #expect(try lines(log, limit: 2) == [#"{"n":5}"#, #"{"n":4}"#])
        #expect(try lines(log).count == 5)
        log.close()
    }

    @Test func aFullFileGetsAnotherNameAndOneOldOneIsKept() throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(in: folder.path, sizeLimit: 20)
        for number in 1...5 {
            log.note(Array((#"{"n":\#(number)}"# + "\n").utf8))
            log.flush()
        }
        log.close()
        let newest = try folder.text(of: "audit.log")
        #expect(newest == "{\"n\":5}\n")
        #expect(try folder.text(of: "audit.log.1") == "{\"n\":3}\n{\"n\":4}\n")
        #expect(try lines(log) == [#"{"n":5}"#, #"{"n":4}"#, #"{"n":3}"#])
    }

    @Test func aTornLineIsPassedOverAndSpoilsNoOther() throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"n\":1}\n{\"n\":", to: "audit.log")
        let log = try AuditLog(in: folder.path)
        log.note(Array((#"{"n":3}"# + "\n").utf8))
        #expect(try lines(log) == [#"{"n":3}"#, #"{"n":1}"#])
        log.close()
    }
}
