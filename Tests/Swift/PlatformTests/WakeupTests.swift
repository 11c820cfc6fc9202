import Platform
import Synchronization
import Testing

@Suite struct WakeupTests {
    @Test func staysSignalledUntilItIsCleared() throws {
        let wakeup = try Wakeup()
        let before = wakeup.wait(milliseconds: 0)
        wakeup.signal()
        wakeup.signal()
        let (during, again) = (wakeup.wait(milliseconds: -1), wakeup.wait(milliseconds: 0))
        wakeup.clear()
        let after = wakeup.wait(milliseconds: 1)
        #expect((before, during, again, after) == (false, true, true, false))
    }
}

@Suite struct ThreadTests {
    private final class Seen: Sendable {
        let thread = Mutex<UInt?>(nil)
    }

    @Test func whoJoinsSeesWhatTheThreadDid() throws {
        let seen = Seen()
        let thread = try Thread(name: "test", blocksSignals: true) { seen.thread.withLock { $0 = Thread.current } }
        thread.join()
        let id = seen.thread.withLock { $0 }
        #expect(id != nil && id != Thread.current)
    }
}
