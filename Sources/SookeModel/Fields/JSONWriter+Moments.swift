import Bytes
import JSON

extension JSONWriter {
    /// Writes a key and a moment.
    public mutating func member(_ name: StaticString, _ moment: Timestamp) {
        key(name)
        moment.write(to: &self)
    }

    /// Writes a key and a moment or `null`.
    public mutating func member(_ name: StaticString, _ moment: Timestamp?) {
        key(name)
        moment.write(to: &self)
    }
}
