import Bytes
import SookeModel

/// One of the things that must be right for a town to be well: its state in words, and what to do next.
///
/// `sooke status`, the API and the page `/admin` show the same list of them.
package struct HealthFinding: Sendable {
    package enum Name: String, ChoiceValue {
        case changes, files, disk, backup, restore, history
        case zoneData = "zone_data"
        case holidays, mail, calendars, waiting, people, version

        /// As people say it: `zone data`.
        package var words: String { rawValue.split(separator: "_").joined(separator: " ") }
    }

    package enum State: String, ChoiceValue {
        case fine
        /// It will break, or is not set up.
        case attention
        case broken
    }

    package let name: Name
    package let state: State
    /// Sentences.
    package let text: String
    package let advice: String?
    /// The command for the advice, on the server.
    package let command: String?

    init(_ name: Name, _ state: State, _ text: String, _ advice: String? = nil, _ command: String? = nil) {
        (self.name, self.state, self.text) = (name, state, text)
        (self.advice, self.command) = state == .fine ? (nil, nil) : (advice, command)
    }

    package static let body = Body<HealthFinding>(
        "finding",
        Member("name", "What it is about") { $0.name },
        Member("state", "Whether somebody must do something: soon for attention, now for broken") { $0.state },
        Member("text", "What was found, in words") { $0.text },
        Member("advice", "What to do next; null for nothing") { $0.advice },
        Member("command", "The command for that, on the server; null without one") { $0.command })
}
