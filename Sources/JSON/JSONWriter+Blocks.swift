extension JSONWriter {
    /// The text of an object.
    public static func object(
        reservingCapacity capacity: Int = 0, _ members: (inout JSONWriter) throws -> Void
    ) rethrows -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: capacity)
        try writer.object(members)
        return writer.bytes
    }

    public mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        beginObject()
        try members(&self)
        endObject()
    }

    public mutating func object(_ name: String, _ members: (inout JSONWriter) throws -> Void) rethrows {
        key(name)
        try object(members)
    }

    public mutating func array<Element>(_ elements: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        beginArray()
        // Not by a span: the optimizer of Swift 6.3.1 frees an array literal before its span is read.
        for element in elements { write(element, &self) }
        endArray()
    }

    public mutating func array<Element>(
        _ name: String, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        array(elements, write)
    }

    /// An array of objects with these members.
    public mutating func objects<Element>(
        _ name: String, _ elements: [Element], _ members: (Element, inout JSONWriter) -> Void
    ) {
        array(name, elements) { element, writer in writer.object { members(element, &$0) } }
    }

    /// A member whose value is JSON text already.
    public mutating func member(_ name: String, raw value: some Collection<UInt8>) {
        key(name)
        raw(value)
    }
}
