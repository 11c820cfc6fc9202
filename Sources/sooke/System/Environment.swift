#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The environment variables of the process, or in tests others.
struct Environment: Sendable {
    private let value: @Sendable (String) -> String?

    /// The variables of this process.
    static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    private init(_ value: @escaping @Sendable (String) -> String?) {
        self.value = value
    }

    /// These variables and no others.
    init(_ variables: [String: String]) {
        value = { variables[$0] }
    }

    /// The value of a variable, nil when it is not set.
    subscript(name: String) -> String? { value(name) }
}
