/// Members: a key and its value in one call; nil is written as `null`.
extension JSONWriter {
    /// Writes a key and a string.
    public mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes a key and a string or `null`.
    public mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a key and an integer.
    public mutating func member(_ name: StaticString, _ value: Int) {
        key(name)
        int(value)
    }

    /// Writes a key and an integer or `null`.
    public mutating func member(_ name: StaticString, _ value: Int?) {
        key(name)
        if let value { int(value) } else { null() }
    }

    /// Writes a key and a finite number.
    public mutating func member(_ name: StaticString, _ value: Double) {
        key(name)
        double(value)
    }

    /// Writes a key and a finite number or `null`.
    public mutating func member(_ name: StaticString, _ value: Double?) {
        key(name)
        if let value { double(value) } else { null() }
    }

    /// Writes a key and `true` or `false`.
    public mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }
}
