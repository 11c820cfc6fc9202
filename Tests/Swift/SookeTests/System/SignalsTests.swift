import Foundation
import Platform
import Testing

@testable import sooke

@Suite struct SignalsTests {
    @Test func writesToAClosedPipeFail() async {
        await #expect(processExitsWith: .exitCode(5)) {
            _ = Signals.prepare()
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            close(ends[0])
            do {
                try FileDescriptor(number: ends[1]).write([1])
            } catch {
                _exit((error as? SystemError)?.isBrokenPipe == true ? 5 : 6)
            }
        }
    }
}
