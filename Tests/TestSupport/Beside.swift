/// Runs readers of a held version beside what changes its copies; whether each found all as it must be.
///
/// - Parameter reader: given the number of the reader, from 0.
package func readersBeside(
    _ writer: @escaping @Sendable () -> Bool, reader: @escaping @Sendable (Int) -> Bool
) async -> [Bool] {
    await withTaskGroup(of: Bool.self) { group in
        // First, so that it runs while the readers do.
        group.addTask { writer() }
        for number in 0..<4 { group.addTask { reader(number) } }
        return await group.reduce(into: []) { $0.append($1) }
    }
}
