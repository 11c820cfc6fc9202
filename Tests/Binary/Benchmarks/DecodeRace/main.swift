// Reads the businesses of a snapshot with the project's own reader and with Foundation's, in turn.
//
// usage: DecodeRace SNAPSHOT ROUNDS
//
// Prints one line of JSON: the bytes, and the seconds that each took in each round.

import Bytes
import Foundation
import JSON
import Journal
import SookeModel

/// What Foundation reads.
struct Document: Decodable {
    struct Day: Decodable {
        var id, day_of_week: Int
        var open_time, close_time: String?
        var is_closed: Bool
    }
    /// A menu or an item of one.
    struct Card: Decodable {
        var id: Int
        var name: String
        var description, price: String?
        var items: [Card]?
    }
    struct Place: Decodable {
        var id: Int
        var owner_id: Int?
        var name, slug, address: String
        var category, description, phone, email, website, opening_hours: String?
        var latitude, longitude: Double
        var hours: [Day]?
        var menus: [Card]?
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
            var business = Business()
            var problems = FieldProblems()
            _ = try business.readFields(from: &reader, unknown: .refused, &problems)
            guard problems.isEmpty else { throw problems }
            try reader.finish()
            found.append(business)
        }
    }
    return found
}

func seconds(_ work: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(work) / .seconds(1)
}

let data = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
let bytes = [UInt8](data)
var times: (ours: [Double], theirs: [Double]) = ([], [])
for _ in 0..<(Int(CommandLine.arguments[2]) ?? 5) {
    var records: [Business] = []
    var places: [Document.Place] = []
    times.ours.append(try seconds { records = try businesses(of: bytes) })
    times.theirs.append(try seconds { places = try JSONDecoder().decode(Document.self, from: data).businesses })
    precondition(records.map(\.name) == places.map(\.name), "both must read the same")
}
print(#"{"bytes":\#(bytes.count),"sooke":\#(times.ours),"JSONDecoder":\#(times.theirs)}"#)
