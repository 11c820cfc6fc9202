import Foundation

/// How many cases the dear proofs try: some, and all of them with `SOOKE_EVERY_CASE=1 swift test`.
public enum Cases {
    /// Whether all are wanted.
    public static let areAll = ProcessInfo.processInfo.environment["SOOKE_EVERY_CASE"] != nil

    /// The number of cases: a few, unless all are wanted.
    public static func count(_ few: Int, of all: Int) -> Int { areAll ? all : few }

    /// Every so many of the cases in order, with the last one.
    public static func sample<Element>(_ cases: some Collection<Element>, every step: Int) -> [Element] {
        let cases = Array(cases)
        if areAll || step <= 1 { return cases }
        return cases.indices.filter { $0.isMultiple(of: step) || $0 == cases.count - 1 }.map { cases[$0] }
    }
}
