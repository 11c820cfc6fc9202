import Bytes
import SookeModel

/// The fields that few businesses have, in one object, so that the others do not store them.
final class RareBusinessFields: Sendable {
    let openingHours: String?
    let specialHours: [SpecialHours]
    let timeZone: String?
    let confirmedAt: Timestamp?
    let confirmedBy: Int?

    /// Nil when all are empty.
    init?(_ value: Business) {
        (openingHours, specialHours, timeZone) = (value.openingHours, value.specialHours, value.timeZone)
        (confirmedAt, confirmedBy) = (value.confirmedAt, value.confirmedBy)
        let isEmpty = openingHours == nil && specialHours.isEmpty && timeZone == nil
        if isEmpty, confirmedAt == nil, confirmedBy == nil { return nil }
    }

    /// Sets the fields in a business.
    func set(in value: inout Business) {
        (value.openingHours, value.specialHours, value.timeZone) = (openingHours, specialHours, timeZone)
        (value.confirmedAt, value.confirmedBy) = (confirmedAt, confirmedBy)
    }
}
