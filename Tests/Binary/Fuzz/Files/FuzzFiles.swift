import Bytes
import FuzzSupport
import JSON

@testable import Exchange
@testable import SookeModel

/// A file to import that is not a table: a vCard, an iCalendar, GeoJSON, or one cell with a place. Each reader reads it.
///
/// What is read is in the file, and is well formed; an event that is valid can be stored and is the same then.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFiles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // An import refuses what is not UTF-8 before.
    let text = String(decoding: FuzzInput.bytes(start, count), as: UTF8.self)
    let bytes = Array(text.utf8)
    let lines = bytes.count { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn } + 1
    checkLines(bytes, lines)
    for record in VCardReader.records(of: bytes) + GeoJSONReader.records(of: bytes) {
        FuzzInput.require(1...lines ~= record.line, "a record is in line \(record.line) of \(lines)")
        let columns = Set(record.cells.map(\.column))
        FuzzInput.require(columns.count == record.cells.count, "a column is there twice: \(record.cells)")
    }
    for entry in CalendarReader.read(bytes).entries {
        FuzzInput.require(1...lines ~= entry.line, "an event is in line \(entry.line) of \(lines)")
        checkEvent(entry)
    }
    checkPlace(text)
    return 0
}

private func checkLines(_ bytes: [UInt8], _ lines: Int) {
    var last = 0
    for line in ContentLineReader(bytes) {
        FuzzInput.require(line.number > last && line.number <= lines, "line \(line.number) follows line \(last)")
        last = line.number
        for separator in [",", ";"] as [Unicode.Scalar] {
            let parts = ContentText.split(line.value, at: separator)
            FuzzInput.require(
                parts.joined(separator: String(Character(separator))) == line.value,
                "a value is not its parts: \(parts)")
        }
    }
}

private let home = TimeZone(name: "America/Vancouver", fixedOffset: -28_800)

private func checkEvent(_ entry: CalendarEntry) {
    func zone(_ name: String) -> TimeZone? {
        name == "Europe/Berlin" ? TimeZone(name: name, fixedOffset: 3600) : nil
    }
    var problems = FieldProblems()
    guard let patch = try? entry.patch(in: home, entry.zones, &problems, find: zone) else { return }
    problems = FieldProblems()
    patch.values.validateInput(&problems)
    guard problems.isEmpty else { return }
    let written = patch.values.written
    var reader = JSONReader(written)
    var again = Event()
    let isRead = (try? again.readFields(from: &reader, unknown: .reported(), &problems)) != nil && problems.isEmpty
    FuzzInput.require(isRead, "a valid event cannot be stored: \(String(decoding: written, as: UTF8.self))")
    FuzzInput.require(again.written == written, "an event changes when it is stored")
}

private func checkPlace(_ text: String) {
    if let place = try? PlaceText.coordinates(text) {
        FuzzInput.require(
            abs(place.latitude) <= 90 && abs(place.longitude) <= 180, "\(place) is no place on Earth")
        let again = try? PlaceText.coordinates("\(place.latitude), \(place.longitude)")
        let isTiny = min(abs(place.latitude), abs(place.longitude)) < 0.0001
        FuzzInput.require(again == place || isTiny, "\(place) is not read again")
    }
    if let degrees = try? PlaceText.latitude(text) {
        FuzzInput.require(abs(degrees) <= 90, "\(degrees) is no latitude")
    }
}
