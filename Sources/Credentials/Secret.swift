/// A value that is never shown by a print, log line, string interpolation or dump.
public protocol Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secret {
    /// `(secret)`, always.
    public var description: String { "(secret)" }
    /// `(secret)`, always.
    public var debugDescription: String { "(secret)" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
