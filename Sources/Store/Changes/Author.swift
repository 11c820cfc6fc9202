/// Who made a change.
public enum Author: Sendable, Equatable {
    /// The user that runs the server, on the machine itself.
    case local
    /// A person with an account.
    case person(Int)

    /// As the log writes it: `local`, or `person:3`.
    var text: String {
        switch self {
        case .local: "local"
        case .person(let id): "person:\(id)"
        }
    }
}
