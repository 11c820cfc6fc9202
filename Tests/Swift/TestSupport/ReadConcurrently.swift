/// Runs four readers of one version while a writer changes its copies.
///
/// - Parameter reader: receives the index of the reader, from 0.
/// - Returns: whether the writer and each reader succeeded.
package func readConcurrently(
    with writer: @escaping @Sendable () -> Bool, reader: @escaping @Sendable (Int) -> Bool
) async -> [Bool] {
    await withTaskGroup(of: Bool.self) { group in
        // First, so that it runs while the readers do.
        group.addTask { writer() }
        for index in 0..<4 { group.addTask { reader(index) } }
        return await group.reduce(into: []) { $0.append($1) }
    }
}
