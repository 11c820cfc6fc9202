import Foundation

/// How long a search waits for further letters.
enum SearchDelay {
    /// The delay after a change of the text. A text that was cleared is not a search: the list is fetched at once.
    static func after(changeTo text: String) -> Duration {
        text.isEmpty ? .zero : .milliseconds(300)
    }
}

extension URLQueryItem {
    /// A parameter.
    init(_ name: String, _ value: String) {
        self.init(name: name, value: value)
    }

    /// A parameter; nil for an empty value.
    init?(_ name: String, unlessEmpty value: String?) {
        guard let value, !value.isEmpty else { return nil }
        self.init(name: name, value: value)
    }
}
