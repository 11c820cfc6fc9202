/// A request method of this server (RFC 9110, section 9, and RFC 5789). Any other gets 501.
public enum Method: UInt8, Sendable, Hashable, CaseIterable {
    case get, head, post, put, patch, delete, options, trace

    /// The method's name on the wire.
    public var name: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        }
    }

    /// Whether the method is safe: it requests no change (RFC 9110, section 9.2.1).
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        case .post, .put, .patch, .delete: false
        }
    }

    /// The method with this name; methods are case-sensitive.
    init?(name: Span<UInt8>) {
        switch name.count {
        case 3 where name.equals("GET"): self = .get
        case 3 where name.equals("PUT"): self = .put
        case 4 where name.equals("HEAD"): self = .head
        case 4 where name.equals("POST"): self = .post
        case 5 where name.equals("PATCH"): self = .patch
        case 5 where name.equals("TRACE"): self = .trace
        case 6 where name.equals("DELETE"): self = .delete
        case 7 where name.equals("OPTIONS"): self = .options
        default: return nil
        }
    }
}

/// A set of methods, such as those that a route has.
public struct MethodSet: OptionSet, Sendable, Hashable {
    /// One bit per method: bit `n` is the method with raw value `n`.
    public let rawValue: UInt8

    /// The set with these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The set of one method.
    public init(_ method: Method) {
        rawValue = 1 << method.rawValue
    }

    /// Whether the method is in the set.
    public func contains(_ method: Method) -> Bool {
        contains(MethodSet(method))
    }

    /// The set as the value of an `Allow` field, such as `GET, HEAD, OPTIONS`.
    public var allow: String {
        Method.allCases.filter(contains).map { "\($0.name)" }.joined(separator: ", ")
    }
}
