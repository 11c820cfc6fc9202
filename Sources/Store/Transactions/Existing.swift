/// A record as it is before a step changes it.
///
/// By reference: every look at an optional business copies it, and a copy retains each of its texts.
final class Existing<Value: WritableRecord>: Sendable {
    let record: Value

    init(_ record: Value) {
        self.record = record
    }
}
