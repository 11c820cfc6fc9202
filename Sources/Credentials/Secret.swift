/// A value that no print, log line, string interpolation or dump shows.
public protocol Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secret {
    /// `(secret)`, always.
    public var description: String { "(secret)" }
    /// `(secret)`, always.
    public var debugDescription: String { "(secret)" }
    /// A value without parts.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
