import Bytes
import Store

extension Town {
    /// A summary of the town: `40 businesses, 25 events`.
    var summary: String {
        "\(Count(count(of: .business), "business")), \(Count(count(of: .event), "event"))"
    }
}
