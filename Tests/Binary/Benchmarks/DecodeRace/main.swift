// Reads the businesses of a snapshot with the project's own reader and with Foundation's, in turn.
//
// usage: DecodeRace SNAPSHOT ROUNDS
//
// Prints one line of JSON: the bytes, the businesses, and the seconds that each took in each round.

import Bytes
import Foundation
import JSON
import Journal
import SookeModel

/// The same, as Foundation reads it.
struct Document: Decodable {
    struct Place: Decodable {
        struct Day: Decodable {
            var id: Int
            var day_of_week: Int
            var open_time: String
            var close_time: String
            var is_closed: Bool
        }
        struct Card: Decodable {
            struct Item: Decodable {
                var id: Int
                var name: String
                var description: String?
                var price: String?
            }
            var id: Int
            var name: String
            var description: String?
            var items: [Item]
        }
        var id: Int
        var owner_id: Int?
        var category: String?
        var name: String
        var slug: String
        var description: String?
        var phone: String?
        var email: String?
        var website: String?
        var address: String
        var latitude: Double
        var longitude: Double
        var hours: [Day]
        var menus: [Card]
        var former_slugs: [String]?
    }
    var businesses: [Place]
}

/// Reads the document line by line, proves its checksum and makes a record of each business, as a start does.
func businesses(of bytes: [UInt8]) throws -> [Business] {
    var found: [Business] = []
    var isInside = false
    let opening = Array("\"businesses\":[".utf8)
    try CheckedDocument.read(bytes) { line in
        if !isInside {
            isInside = line.elementsEqual(opening)
        } else if line.first == UInt8(ascii: "]") {
            isInside = false
        } else {
            let record = line.last == UInt8(ascii: ",") ? line.dropLast() : line
            var reader = JSONReader(Array(record), limits: .trusted)
            found.append(try business(&reader))
            try reader.finish()
        }
    }
    return found
}

/// Reads one business.
func business(_ reader: inout JSONReader) throws -> Business {
    var business = Business()
    var problems = FieldProblems()
    _ = try business.readFields(from: &reader, unknown: .refused, &problems)
    guard problems.isEmpty else { throw problems }
    return business
}

/// Seconds that something takes.
func seconds(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let took = try clock.measure(work)
    return Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
}

/// Whether both have read the same.
func areEqual(_ ours: [Business], _ theirs: [Document.Place]) -> Bool {
    ours.count == theirs.count
        && zip(ours, theirs).allSatisfy { one, other in
            one.id == other.id && one.name == other.name && one.slug.text == other.slug
                && one.description == other.description && one.latitude == other.latitude
                && one.hours.map(\.opens.text) == other.hours.map(\.open_time)
                && one.menus.count == other.menus.count
        }
}

let data = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
let bytes = [UInt8](data)
var ours: [Double] = []
var theirs: [Double] = []
var count = 0
for round in 0..<(Int(CommandLine.arguments[2]) ?? 5) {
    var records: [Business] = []
    var places: [Document.Place] = []
    ours.append(try seconds { records = try businesses(of: bytes) })
    theirs.append(try seconds { places = try JSONDecoder().decode(Document.self, from: data).businesses })
    if round == 0 { precondition(areEqual(records, places), "both must read the same") }
    count = records.count
}
print(#"{"bytes":\#(bytes.count),"businesses":\#(count),"sooke":\#(ours),"foundation":\#(theirs)}"#)
