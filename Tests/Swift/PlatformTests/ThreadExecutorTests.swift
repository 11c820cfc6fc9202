import Testing

@testable import Platform

@Suite struct ThreadExecutorTests {
    @Test func aThreadThatIsNotItsOwnIsStoppedByTheCheck() async {
        #expect(ThreadExecutor(name: "commit").isIsolatingCurrentContext() == false)
        await #expect(processExitsWith: .failure) { ThreadExecutor(name: "commit").checkIsolated() }
    }
}
