import Service
import Foundation
import Testing

@testable import sooke

/// The audit log as files.
@Suite struct AuditLogTests {
    /// The lines of some requests.
    private func lines(_ log: AuditLog, limit: Int = 100) throws -> [String] {
        try log.newest(limit, of: AuditBook.allCases).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theFileIsMadeWithTheFirstLineForItsOwnerAlone() throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(in: folder.path)
        #expect(try lines(log) == [])
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/audit.log"))
        log.append(Array((#"{"n":1}"# + "\n").utf8), to: .people)
        log.close()
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/audit.log")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try folder.text(of: "audit.log") == "{\"n\":1}\n")
    }

    @Test func aFullFileGetsAnotherNameAndOneOldOneIsKept() throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(in: folder.path, sizeLimit: 20)
        for number in 1...5 {
            log.append(Array((#"{"n":\#(number)}"# + "\n").utf8), to: .people)
            log.flush()
        }
        log.close()
        let newest = try folder.text(of: "audit.log")
        #expect(newest == "{\"n\":5}\n")
        #expect(try folder.text(of: "audit.log.1") == "{\"n\":3}\n{\"n\":4}\n")
        #expect(try lines(log) == [#"{"n":5}"#, #"{"n":4}"#, #"{"n":3}"#])
    }

    @Test func aFolderThatWasReplacedGetsNoLine() throws {
        let folder = try TemporaryFolder()
        let (data, moved) = ("\(folder.path)/data", "\(folder.path)/moved")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        let log = try AuditLog(in: data, sizeLimit: 20)
        for number in 1...5 {
            log.append(Array((#"{"n":\#(number)}"# + "\n").utf8), to: .people)
            log.flush()
            guard number == 1 else { continue }
            try FileManager.default.moveItem(atPath: data, toPath: moved)
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        }
        log.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: data) == [])
        #expect(try lines(log).first == #"{"n":5}"#)
        #expect(try FileManager.default.contentsOfDirectory(atPath: moved).sorted() == ["audit.log", "audit.log.1"])
    }

    @Test func aTornLineIsPassedOverAndSpoilsNoOther() throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"n\":1}\n{\"n\":", to: "audit.log")
        let log = try AuditLog(in: folder.path)
        log.append(Array((#"{"n":3}"# + "\n").utf8), to: .people)
        #expect(try lines(log) == [#"{"n":3}"#, #"{"n":1}"#])
        log.close()
    }

    /// Attempts of unknown clients have a file of their own, however many they are.
    @Test func strangersPushOutNothingOfPeople() throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(in: folder.path, sizeLimit: 200)
        func append(_ second: Int, to book: AuditBook) {
            let line = #"{"at":"2026-11-21T09:30:\#(second)Z","n":"\#(book)"}"# + "\n"
            log.append(Array(line.utf8), to: book)
        }
        append(10, to: .people)
        for second in 11...58 {
            append(second, to: .strangers)
            log.flush()
        }
        append(59, to: .people)
        let all = try lines(log)
        #expect(all.first?.contains(":59Z") == true && all.dropFirst().first?.contains(":58Z") == true)
        #expect(all.last?.contains(":10Z") == true)
        #expect(all.count < 20)
        #expect(try log.newest(100, of: [.people]).count == 2)
        #expect(try lines(log, limit: 3).count == 3)
        log.close()
        #expect(try folder.text(of: "audit.log").split(separator: "\n").count == 2)
    }
}
