import Bytes
import SookeModel

/// A start and an end in one cell: `10:30–11:15`, `June 1, 2027 6-8 pm`.
struct TimeRange {
    private(set) var start: String
    private(set) var end: String

    init?(_ text: String, order: MomentText.DayOrder?) {
        guard text.utf8.count <= 100, Timestamp(rfc3339: text) == nil, (try? MomentText(text, order: order)) == nil
        else { return nil }
        let words = text.split(separator: " ").map { ["to", "until", "till", "bis", "à"].contains($0) ? "–" : $0 }
        let joined = words.joined(separator: " ")
        guard let sign = joined.lastIndex(where: { "-–—".contains($0) }) else { return nil }
        (start, end) = (String(joined[..<sign]).trimmed, String(joined[sign...].dropFirst()).trimmed)
        guard let last = try? MomentText(end), last.date == nil, let to = last.secondsOfDay else { return nil }
        let hasHalf = end.lowercased().contains { "ap".contains($0) }
        let first = try? MomentText(start, order: order)
        if let first, first.secondsOfDay != nil, !first.isHalfOpen || !hasHalf { return }
        // Of "6" and "6:30" before "8 pm", in the half of the day that makes the time shorter.
        let starts = (hasHalf ? ["\(start) am", "\(start) pm"] : []).compactMap { text in
            (try? MomentText(text, order: order))?.secondsOfDay.map { (text, length: (to - $0 + 86_400) % 86_400) }
        }
        guard let shortest = starts.min(by: { $0.length < $1.length }) else { return nil }
        start = shortest.0
    }
}

extension EventTimeCells {
    /// Where no cell has the time of the end, the one of the start may have both.
    mutating func splitRange() {
        guard hasStart, (parts[.endTime] ?? end ?? "").isEmpty else { return }
        let time = parts[.startTime] ?? ""
        guard let range = TimeRange(time.isEmpty ? start ?? "" : time, order: order) else { return }
        if time.isEmpty { start = range.start } else { parts[.startTime] = range.start }
        parts[.endTime] = range.end
    }
}
