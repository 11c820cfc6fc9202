import JSON
import SookeModel

/// A line of the log or of a snapshot has a valid checksum, but content that the store does not write.
///
/// The disk is not damaged: another program, or a newer version of this one, wrote the line.
package struct StoredRecordError: Error, Sendable, CustomStringConvertible {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    init(_ error: any Error) {
        message = (error as? StoredRecordError)?.message ?? "\(error)"
    }

    fileprivate init(_ problems: FieldProblems) {
        message = problems.all.map(\.description).joined(separator: "; ")
    }

    package var description: String { message }
}

extension StoredRecord {
    /// Reads a record from the log, a snapshot or a backup.
    ///
    /// - Throws: when it has a field that is not known, a value of another type, or breaks a stored invariant.
    init(stored reader: inout JSONReader) throws(StoredRecordError) {
        try self.init(encoded: &reader)
        var problems = FieldProblems()
        validateStored(&problems)
        if !problems.isEmpty { throw StoredRecordError(problems) }
    }

    /// Reads a record that this process has encoded from validated values.
    init(encoded reader: inout JSONReader) throws(StoredRecordError) {
        self.init()
        var problems = FieldProblems()
        do {
            _ = try readFields(from: &reader, unknown: .refused, &problems)
        } catch {
            throw StoredRecordError(error)
        }
        if !problems.isEmpty { throw StoredRecordError(problems) }
    }
}
