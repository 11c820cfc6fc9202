/// A record before a step changes it.
///
/// A class, because each access to an optional business would copy it and retain each of its texts.
final class Existing<Value: WritableRecord>: Sendable {
    let record: Value

    init(_ record: Value) {
        self.record = record
    }
}
