import Observation
import Testing
import ViewTree

/// Loading and errors are states like others; a cancelled request is neither an error nor a result.
@MainActor @Suite struct Lesson7Tests {
    private let server = Server()

    @Test func anErrorComesAfterLoadingAndIsReplacedByTheNextResult() async {
        let tree = Tree(SearchScreen(model: SearchModel(server: server)))
        await tree.turns { tree.lines == ["Search: |", "loading"] }
        server.respond(to: "", .failure(.unreachable))
        await tree.turns { tree.lines == ["Search: |", "error: unreachable"] }
        tree.type("p")
        await tree.turns { tree.lines == ["Search: p|", "loading"] }
        server.respond(to: "p", .success(["Pub"]))
        await tree.turns { tree.lines == ["Search: p|", "Pub"] }
    }

    @Test(arguments: [true, false]) func aCancelledSearchNeverOverwritesANewerOne(succeeds: Bool) async {
        let tree = Tree(SearchScreen(model: SearchModel(server: server)))
        await tree.turns { server.isWaiting("") }
        for (typed, query) in [("s", "s"), ("l", "sl")] {
            tree.type(typed)
            await tree.turns { server.isWaiting(query) }
        }
        server.respond(to: "sl", .success(["Slack Tide"]))
        await tree.turns { tree.lines == ["Search: sl|", "Slack Tide"] }
        for (query, finished) in [("s", 2), ("", 3)] {
            server.respond(to: query, succeeds ? .success(["Sushi"]) : .failure(.unreachable))
            await tree.turns { server.finished == finished }
            tree.redraw()
            #expect(tree.lines == ["Search: sl|", "Slack Tide"])
        }
    }

    @Test func leavingAScreenEndsItsTasks() async {
        let visibility = Visibility()
        let model = SearchModel(server: server)
        let tree = Tree(LeavableScreen(visibility: visibility, model: model))
        await tree.turns { server.isWaiting("") }
        visibility.isVisible = false
        tree.redraw()
        server.respond(to: "", .success(["Pub"]))
        await tree.turns { server.finished == 1 }
        #expect(model.phase == .loading)
    }
}

private enum ServerError: Error {
    case unreachable
}

/// Responds when the test says so, to cancelled requests as well.
@MainActor private final class Server {
    private var requests: [String: CheckedContinuation<Result<[String], ServerError>, Never>] = [:]
    private(set) var finished = 0

    func isWaiting(_ query: String) -> Bool { requests[query] != nil }

    func names(_ query: String) async throws -> [String] {
        defer { finished += 1 }
        return try await withCheckedContinuation { requests[query] = $0 }.get()
    }

    func respond(to query: String, _ response: Result<[String], ServerError>) {
        requests.removeValue(forKey: query)?.resume(returning: response)
    }
}

@Observable @MainActor private final class SearchModel {
    enum Phase: Equatable {
        case idle, loading
        case found([String])
        case failed(String)
    }

    var text = ""
    private(set) var phase = Phase.idle
    private let server: Server

    init(server: Server) {
        self.server = server
    }

    func search() async {
        phase = .loading
        let result: Phase
        do {
            result = .found(try await server.names(text))
        } catch {
            result = .failed("\(error)")
        }
        if !Task.isCancelled { phase = result }
    }
}

private struct SearchScreen: View {
    @Bindable var model: SearchModel
    var body: some View {
        TextField("Search", text: $model.text).focused(true)
            .task(id: model.text) { await model.search() }
        switch model.phase {
        case .idle: EmptyView()
        case .loading: Text("loading")
        case .found(let names): ForEach(names, id: \.self) { Text($0) }
        case .failed(let message): Text("error: \(message)")
        }
    }
}

@Observable @MainActor private final class Visibility {
    var isVisible = true
}

private struct LeavableScreen: View {
    let visibility: Visibility
    let model: SearchModel
    var body: some View {
        if visibility.isVisible { SearchScreen(model: model) }
    }
}
