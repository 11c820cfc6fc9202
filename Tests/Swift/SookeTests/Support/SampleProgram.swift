import Bytes
import Platform

@testable import sooke

/// A program with one parameter of every kind, to parse against.
enum Sample {
    static let data = Parameter.option(
        "data", "DIR", .folder, default: "./town", environment: "SAMPLE_DATA", help: "The folder. It must exist.")
    static let port = Parameter.option(
        "port", "PORT", .port, default: "8080", environment: "PORT", help: "The port; 0 takes a free one.")
    static let now = Parameter.optional("now", "MOMENT", .moment, help: "What time it is [always].")
    static let zone = Parameter.optional("time-zone", "ZONE", .timeZone, help: "Where the town's clocks are.")
    static let origins = Parameter.repeated(
        "cors-origin", "ORIGIN", .text("an origin"), default: ["http://localhost:8080"], environment: "ORIGINS",
        help: "Who may ask: the town's own pages.")
    static let dryRun = Parameter.flag("dry-run", help: "Only looks, isn't changing anything.")
    static let format = Parameter.option(
        "format", "FORMAT", ValueSyntax<Format>.choice(), default: "json", help: "How it is written.")
    static let target = Parameter.operand("TARGET", .file, default: "-", help: "Where to.")
    static let files = Parameter.operands("FILE", .file, help: "What to read.")

    enum Format: String, CaseIterable, Sendable {
        case json, ndjson, csv
    }

    static let serve = Command(
        name: "serve", summary: "Serve the town",
        parameters: [data, port, now, zone, origins, dryRun, format, target],
        examples: [Command.Example("sooke serve", "Serves.")], exitCodes: [.success]
    ) { invocation in
        try invocation.console.print("port \(invocation[port])\n")
        throw ExitCode.damaged
    }

    static let load = Command(
        name: "load", summary: "Load files", parameters: [data, files],
        examples: [Command.Example("sooke load a.csv", "Loads.")], exitCodes: [.success, .badData]
    ) { _ in }

    static let program = Program(
        summary: "A sample.", commands: [serve, load, .help],
        topics: [Program.Topic(name: "units", summary: "what is counted", text: "Units.\n")])

    /// What was given for a command line whose first word is the command.
    static func parse(_ line: String, _ variables: [String: String] = [:]) throws(CommandError) -> Invocation {
        let words = line.split(separator: " ").map(String.init)
        let command = words.first == "load" ? load : serve
        let environment = Environment(variables)
        return Invocation(
            console: Console(environment: environment),
            given: try ArgumentParser.parse(words.dropFirst(), for: command, environment: environment))
    }
}
