/// The author of a change.
public enum Author: Sendable, Equatable {
    /// The user that runs the server, on the same machine.
    case local
    /// A person with an account.
    case person(Int)
    /// An author of a kind that another version of this program wrote to the log.
    case other(String)

    /// The text in the log: `local`, or `person:3`.
    var text: String {
        switch self {
        case .local: "local"
        case .person(let id): "person:\(id)"
        case .other(let text): text
        }
    }

    /// Parses `text`.
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
