/// The record whose detail is open.
struct OpenedRecord: Identifiable {
    let id: Int64
}
