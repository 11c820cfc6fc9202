import Synchronization
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(20))) struct AlarmTests {
    private let time = TestSleep()
    private let rung = Counter()

    @Test func itRunsOnceAfterTheDelay() async {
        let alarm = Alarm(sleep: time.sleep)
        alarm.start(after: .seconds(1)) { [rung] in rung.increment() }
        await time.elapse(sleeps: 1)
        await until { rung.value == 1 }
        alarm.start(after: .seconds(2)) { [rung] in rung.increment() }
        await time.elapse(sleeps: 2)
        await until { rung.value == 2 }
        #expect(time.begun == [.seconds(1), .seconds(2)])
    }

    @Test func whileItWaitsItIsNotSetAgain() async {
        let alarm = Alarm(sleep: time.sleep)
        for seconds in 1...3 {
            alarm.start(after: .seconds(seconds)) { [rung] in rung.increment() }
        }
        await time.elapse(sleeps: 1)
        await until { rung.value == 1 }
        #expect(time.begun == [.seconds(1)])
    }

    @Test func stoppedItDoesNotRingAndCanBeSetAgain() async {
        let alarm = Alarm(sleep: time.sleep)
        alarm.start(after: .seconds(1)) { Issue.record("it was stopped") }
        await until { time.begun.count == 1 }
        alarm.stop()
        await until { time.cancelled == 1 }
        alarm.start(after: .seconds(2)) { [rung] in rung.increment() }
        await time.elapse(sleeps: 2)
        await until { rung.value == 1 }
    }

    @Test func letGoOfItDoesNotRing() async {
        var alarm: Alarm? = Alarm(sleep: time.sleep)
        alarm?.start(after: .seconds(1)) { Issue.record("nobody holds it") }
        await until { time.begun.count == 1 }
        alarm = nil
        await until { time.cancelled == 1 }
    }
}
