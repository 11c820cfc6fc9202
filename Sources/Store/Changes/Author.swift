/// Who made a change.
public enum Author: Sendable, Equatable {
    /// The user that runs the server, on the machine itself.
    case local
    /// A person with an account.
    case person(Int)
    /// Somebody whom only another version of this program knows, as the log writes them.
    case other(String)

    /// As the log writes it: `local`, or `person:3`.
    var text: String {
        switch self {
        case .local: "local"
        case .person(let id): "person:\(id)"
        case .other(let text): text
        }
    }

    /// Reads what `text` says.
    init(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if text == "local" {
            self = .local
        } else if parts.count == 2, parts[0] == "person", let id = Int(parts[1]), parts[1] == "\(id)" {
            self = .person(id)
        } else {
            self = .other(text)
        }
    }
}
