import Foundation
import Platform
import Testing

@testable import HTTP
@testable import sooke

@Suite struct AccessLogTests {
    @Test func keepsEveryLineOfManyThreads() throws {
        let folder = try TemporaryFolder()
        let file = try OwnedDescriptor.open("\(folder.path)/log", [.write, .create])
        let log = try AccessLog(.text, to: file.descriptor)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<500 { log.record(AccessLineTests.record("/\(thread)/\(number)")) }
        }
        log.close()
        let lines = try folder.text(of: "log").split(separator: "\n")
        let targets = Set(lines.compactMap { $0.split(separator: "\"").dropFirst().first })
        #expect(lines.count == 2000)
        #expect(targets.count == 2000)
    }

    /// Without a reader, the lines that do not fit are counted, and no request waits.
    @Test func countsLinesNobodyTakes() throws {
        let pipe = try Ends()
        let log = try AccessLog(.json, to: pipe.output)
        let record = AccessLineTests.record("/" + String(repeating: "x", count: 1000))
        let count = 4 * LineWriter.bufferLimit / 1000
        for _ in 0..<count { log.record(record) }
        var (lines, dropped) = (0, 0)
        while dropped == 0 {
            let line = try pipe.readLine()
            if let number = line.split(separator: "\"dropped\":").dropFirst().first {
                dropped = try #require(Int(number.dropLast()))
            } else {
                lines += 1
            }
        }
        #expect(lines + dropped == count)
        #expect(dropped > count / 4)
        log.close()
    }

    @Test func outlivesItsReader() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try Ends()
        let log = try AccessLog(.text, to: pipe.output)
        pipe.closeReadEnd()
        for _ in 0..<2_000 { log.record(AccessLineTests.record("/")) }
        log.close()
        log.record(AccessLineTests.record("/"))
    }

    @Test func goesOnAfterAFailedWrite() throws {
        let full = try OwnedDescriptor.open("/dev/full", .write)
        let log = try AccessLog(.text, to: full.descriptor)
        for _ in 0..<2_000 { log.record(AccessLineTests.record("/")) }
        log.close()
    }

    /// A pipe to read lines from.
    private final class Ends {
        let output: FileDescriptor
        private var input: FileDescriptor?
        private var bytes: [UInt8] = []

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw SystemError.last }
            input = FileDescriptor(number: ends[0])
            output = FileDescriptor(number: ends[1])
        }

        deinit {
            closeReadEnd()
            close(output.number)
        }

        func closeReadEnd() {
            if let input { close(input.number) }
            input = nil
        }

        func readLine() throws -> String {
            while true {
                if let end = bytes.firstIndex(of: 0x0A) {
                    defer { bytes.removeFirst(end + 1) }
                    return String(decoding: bytes[..<end], as: UTF8.self)
                }
                bytes += try input?.read(upTo: 1 << 16) ?? []
            }
        }
    }
}
