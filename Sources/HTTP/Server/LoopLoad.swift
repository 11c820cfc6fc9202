/// How busy an event loop is, by the time that it does not wait for events. Times are nanoseconds.
struct LoopLoad {
    /// The time over which it is measured.
    private static let window = 250_000_000

    /// Whether it was busy for more than half of the last window.
    private(set) var isBusy = false
    /// The share of the time of its work in which its thread had a processor.
    private(set) var cpuShare = 1.0
    private var start: Int
    private var cpuAtStart: Int
    private var waited = 0

    init(now: Int, cpu: Int) {
        (start, cpuAtStart) = (now, cpu)
    }

    /// The loop has waited for events. `cpu` returns the CPU time of its thread, and is called once per window.
    mutating func waited(from begin: Int, until now: Int, cpu: () -> Int) {
        waited += now - begin
        let elapsed = now - start
        guard elapsed >= Self.window else { return }
        let (worked, cpu) = (elapsed - waited, cpu())
        isBusy = 2 * worked > elapsed
        cpuShare = worked > 0 ? min(1, Double(cpu - cpuAtStart) / Double(worked)) : 1
        (start, cpuAtStart, waited) = (now, cpu, 0)
    }
}
