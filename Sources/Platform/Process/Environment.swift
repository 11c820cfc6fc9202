import Glibc

/// The environment variables of the process, or of a test.
package struct Environment: Sendable {
    private let value: @Sendable (String) -> String?

    /// The variables of this process.
    package static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    private init(_ value: @escaping @Sendable (String) -> String?) {
        self.value = value
    }

    /// An environment of these variables only.
    package init(_ variables: [String: String]) {
        value = { variables[$0] }
    }

    /// The value of a variable, nil when it is not set.
    package subscript(name: String) -> String? { value(name) }
}
