/// The names of SwiftUI that the example of `SookeClient` uses, so that its calls are compiled where SwiftUI is not.
/// Nothing is shown: each view is the same empty one.
@_exported import Foundation
@_exported import Observation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

@MainActor @preconcurrency public protocol Scene {}

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() { _ = Self().body }
}

public struct Empty: View {
    nonisolated public init() {}
    public var body: Empty { self }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Empty { Empty() }
    public static func buildOptional(_ content: Empty?) -> Empty { Empty() }
    public static func buildEither(first: Empty) -> Empty { Empty() }
    public static func buildEither(second: Empty) -> Empty { Empty() }
}

extension URL {
    public static var cachesDirectory: URL { temporaryDirectory }
    public static var applicationSupportDirectory: URL { temporaryDirectory }
}

/// Foundation has it on Apple's systems, from the runtime of Objective-C.
public typealias Category = OpaquePointer

// Data

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Binding { self }
    private let get: () -> Value
    private let set: (Value) -> Void

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }

    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member> {
            wrappedValue[keyPath: path]
        } set: {
            wrappedValue[keyPath: path] = $0
        }
    }
}

@propertyWrapper public struct State<Value> {
    private final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private let box: Box

    public init(wrappedValue: Value) { box = Box(wrappedValue) }
    public init(initialValue: Value) { box = Box(initialValue) }

    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
    public var projectedValue: Binding<Value> {
        Binding {
            box.value
        } set: {
            box.value = $0
        }
    }
}

public struct EnvironmentValues {
    public let dismiss = DismissAction()
}

@MainActor public struct DismissAction {
    nonisolated init() {}
    public func callAsFunction() {}
}

@propertyWrapper public struct Environment<Value> {
    private let value: () -> Value

    public init(_ path: KeyPath<EnvironmentValues, Value>) { value = { EnvironmentValues()[keyPath: path] } }
    public init(_ type: Value.Type) where Value: AnyObject & Observable { value = { fatalError("nothing is shown") } }

    public var wrappedValue: Value { value() }
}

// Views

public struct WindowGroup: Scene {
    public init(@ViewBuilder content: () -> some View) {}
}

/// Views of which each has this one form or two: with a title, and with content.
public protocol Titled: View where Body == Empty {}
extension Titled {
    public var body: Empty { Empty() }
}

public struct Text: Titled { public init(_ text: some StringProtocol) {} }
public struct ProgressView: Titled { public init() {} }
public struct Label: Titled { public init(_ title: String, systemImage: String) {} }
public struct LabeledContent: Titled { public init(_ title: some StringProtocol, value: some StringProtocol) {} }
public struct TextField: Titled { public init(_ title: String, text: Binding<String>) {} }
public struct SecureField: Titled { public init(_ title: String, text: Binding<String>) {} }
public struct Form: Titled { public init(@ViewBuilder content: () -> some View) {} }
public struct NavigationStack: Titled { public init(@ViewBuilder root: () -> some View) {} }
public struct VStack: Titled {
    public init(alignment: HorizontalAlignment = .center, @ViewBuilder content: () -> some View) {}
}
public struct Section: Titled { public init(_ title: some StringProtocol, @ViewBuilder content: () -> some View) {} }
public struct Menu: Titled { public init(_ title: String, @ViewBuilder content: () -> some View) {} }
public struct TabView: Titled { public init(@ViewBuilder content: () -> some View) {} }
public struct Button: Titled {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}
public struct NavigationLink: Titled {
    public init(value: (some Hashable)?, @ViewBuilder label: () -> some View) {}
    public init(_ title: some StringProtocol, value: (some Hashable)?) {}
}
public struct ContentUnavailableView: Titled {
    public init(_ title: String, systemImage: String) {}
    public static func search(text: String) -> some View { Empty() }
}
public struct List<Element: Identifiable>: Titled {
    public init(_ elements: [Element], @ViewBuilder row: @escaping (Element) -> some View) {}
}
public struct ForEach<Element, ID: Hashable>: Titled {
    public init(_ elements: [Element], id: KeyPath<Element, ID>, @ViewBuilder content: @escaping (Element) -> some View)
    {}
    public init(_ elements: [Element], @ViewBuilder content: @escaping (Element) -> some View)
    where Element: Identifiable, ID == Element.ID {}
}

// Modifiers

public enum Font { case caption }
public enum HorizontalAlignment { case leading, center }
public enum VerticalEdge { case bottom }
public enum UITextContentType { case username, password }
public struct ShapeStyle: Sendable {
    public static let red = ShapeStyle(), secondary = ShapeStyle()
}

extension View {
    public func font(_ font: Font) -> some View { Empty() }
    public func foregroundStyle(_ style: ShapeStyle) -> some View { Empty() }
    public func textContentType(_ type: UITextContentType?) -> some View { Empty() }
    public func disabled(_ isDisabled: Bool) -> some View { Empty() }
    public func id(_ id: some Hashable) -> some View { Empty() }
    public func tag(_ tag: some Hashable) -> some View { Empty() }
    public func tabItem(@ViewBuilder _ label: () -> some View) -> some View { Empty() }
    public func navigationTitle(_ title: some StringProtocol) -> some View { Empty() }
    public func navigationDestination<Value: Hashable>(
        for type: Value.Type, @ViewBuilder destination: @escaping (Value) -> some View
    ) -> some View { Empty() }
    public func searchable(text: Binding<String>) -> some View { Empty() }
    public func overlay(@ViewBuilder content: () -> some View) -> some View { Empty() }
    public func safeAreaInset(edge: VerticalEdge, @ViewBuilder content: () -> some View) -> some View { Empty() }
    public func toolbar(@ViewBuilder content: () -> some View) -> some View { Empty() }
    public func sheet(isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> some View) -> some View {
        Empty()
    }
    public func environment(_ object: (some AnyObject & Observable)?) -> some View { Empty() }
    public func task(_ action: @escaping @MainActor () async -> Void) -> some View { Empty() }
    public func onAppear(perform action: @escaping () -> Void) -> some View { Empty() }
    public func onDisappear(perform action: @escaping () -> Void) -> some View { Empty() }
    public func onChange(of value: some Equatable, _ action: @escaping () -> Void) -> some View { Empty() }
}
