import Observation
import Testing
import ViewTree

/// The environment goes down, preferences go up.
@MainActor @Suite struct Lesson5Tests {
    @Test func aMissingObjectIsReportedByNameAndItsNeighboursAreShown() {
        let tree = Tree(WithoutSession())
        #expect(tree.errors == [.missingObject(view: "SignInButton", property: "session", type: "Session")])
        #expect(tree.lines.first == "before")
        #expect(tree.lines.dropFirst().first?.hasPrefix("SignInButton.session: the environment has no Session") == true)
        #expect(tree.lines.last == "nobody")
    }

    @Test func theSignInOfAGrandchildShowsAtTheRoot() {
        let tree = Tree(SignedInRoot())
        #expect(tree.lines == ["nobody", "child", "[Sign in]"])
        tree.press(.character("s"))
        #expect(tree.lines == ["Ada", "child", "[Sign in]"])
        #expect(!tree.invalidated.contains("SilentChild"))
        #expect(tree.errors.isEmpty)
    }

    @Test func aSheetHasTheEnvironmentOfItsPresenter() {
        let tree = Tree(SignedInRoot())
        tree.press(.character("m"))
        #expect(tree.sheetLines == ["night", "[Sign in]"])
        tree.press(.character("s"))
        #expect(tree.lines.first == "Ada")
        tree.press(.escape)
        #expect(tree.sheetLines == nil)
    }

    @Test func theEnvironmentIsNotReadableInAnInitializer() {
        let tree = Tree(EarlyReader().environment(\.theme, "night"))
        #expect(tree.lines.first == "day night")
        #expect(tree.errors == [.usedBeforeInstalled(view: "EarlyReader", property: "theme")])
    }

    @Test func anObjectReadInAnInitializerEndsTheProgramByName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = EarlyObjectReader() }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("@Environment(Session.self) is read before its view is in the tree"))
    }

    @Test func theInnermostScreenSetsTheTitleOfTheFrame() {
        let path = Path()
        let tree = Tree(Frame(path: path))
        #expect(tree.lines == ["= Town =", "town"])
        path.depth = 1
        tree.redraw()
        #expect(tree.lines == ["= The Slack Tide Pub =", "town", "pub"])
        path.name = "The Otter"
        tree.redraw()
        #expect(tree.lines == ["= The Otter =", "town", "pub"])
        #expect(!tree.invalidated.contains("TownScreen"))
        path.depth = 0
        tree.redraw()
        #expect(tree.lines == ["= Town =", "town"])
    }
}

private enum ThemeKey: EnvironmentKey {
    static var defaultValue: String { "day" }
}

extension EnvironmentValues {
    fileprivate var theme: String {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
}

@Observable @MainActor private final class Session {
    var user: String?
}

private struct ThemeName: View {
    @Environment(\.theme) private var theme
    var body: some View { Text(theme) }
}

private struct WithoutSession: View {
    var body: some View {
        Text("before")
        SignInButton()
        OptionalUser()
    }
}

private struct OptionalUser: View {
    @Environment(Session.self) private var session: Session?
    var body: some View { Text(session?.user ?? "nobody") }
}

private struct SignedInRoot: View {
    @State private var session = Session()
    @State private var isSheetPresented = false
    var body: some View {
        VStack {
            Text(session.user ?? "nobody")
            SilentChild()
        }
        .onKeyPress(.character("m")) { isSheetPresented = true }
        .sheet(isPresented: $isSheetPresented) {
            ThemeName()
            SignInButton()
        }
        .environment(session)
        .environment(\.theme, "night")
    }
}

private struct SilentChild: View {
    var body: some View {
        Text("child")
        SignInButton()
    }
}

private struct SignInButton: View {
    @Environment(Session.self) private var session
    var body: some View {
        Button("Sign in", key: .character("s")) { session.user = "Ada" }
    }
}

private struct EarlyReader: View {
    @Environment(\.theme) private var theme
    private var early = ""

    init() {
        early = theme
    }

    var body: some View { Text("\(early) \(theme)") }
}

private struct EarlyObjectReader: View {
    @Environment(Session.self) private var session
    private var early: String?

    init() {
        early = session.user
    }

    var body: some View { Text(early ?? "") }
}

@Observable @MainActor private final class Path {
    var depth = 0
    var name = "The Slack Tide Pub"
}

private struct Frame: View {
    let path: Path
    @State private var title = ""
    var body: some View {
        VStack {
            Text("= \(title) =")
            TownScreen(path: path)
        }
        .onPreferenceChange(NavigationTitleKey.self) { title = $0 }
    }
}

private struct TownScreen: View {
    let path: Path
    var body: some View {
        VStack {
            Text("town")
            PubScreen(path: path)
        }
        .navigationTitle("Town")
    }
}

private struct PubScreen: View {
    let path: Path
    var body: some View {
        if path.depth > 0 {
            Text("pub").navigationTitle(path.name)
        }
    }
}
