import Glibc
import Testing

@testable import Platform

/// What is on standard error when a process crashes.
@Suite struct CrashReportTests {
    /// On a thread that blocks all other signals, in memory that does not exist.
    @Test func namesTheRequestOfTheThread() async throws {
        let result = await #expect(processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]) {
            CrashReport.begin(of: "a test")
            try Thread(blocksSignals: true) {
                CrashReport.request = Array("1f GET /a\u{1B}\nb".utf8) + [UInt8](repeating: 0x63, count: 300)
                UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
            }.join()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let request = "1f GET /a??b" + String(repeating: "c", count: 255 - 12)
        #expect(text.contains("sooke: crashed: SIGSEGV, a test\n  request: \(request)\n  addresses: 0x"), "\(text)")
        #expect(text.hasSuffix(" sooke, and say what was done before\n"), "\(text)")
    }

    @Test func survivesAnExhaustedStack() async throws {
        let result = await #expect(processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]) {
            CrashReport.begin(of: "a test")
            try Thread { _ = Self.exhaust(0) }.join()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("request: none\n  addresses: 0x"), "\(text)")
    }

    @inline(never)
    private static func exhaust(_ depth: Int) -> Int { depth < 0 ? 0 : exhaust(depth + 1) &+ depth }

    /// A task has its request on other threads too.
    @Test func aTaskKeepsItsRequest() async {
        CrashReport.request = Array("2f PUT /b".utf8)
        let work = TaskWork()
        CrashReport.request = []
        #expect(CrashReport.request.isEmpty)
        let seen = await TaskWork.$current.withValue(work) { await Task { CrashReport.request }.value }
        #expect(seen == Array("2f PUT /b".utf8))
    }
}
