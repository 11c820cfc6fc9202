/// The record whose screen is open.
struct OpenedRecord: Identifiable {
    let slug: String
    var id: String { slug }
}
