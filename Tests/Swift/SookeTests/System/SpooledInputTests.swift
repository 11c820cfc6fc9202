import Foundation
import Platform
import Testing

@testable import sooke

@Suite struct SpooledInputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func spool(_ bytes: [UInt8], near path: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(folder.path)/input"))
        let file = try OwnedDescriptor.open("\(folder.path)/input", .read)
        var console = try CapturedConsole().console
        console.input = file.descriptor
        let input = try SpooledInput(console, near: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["input"])
        // It can be read more than once.
        for _ in 1...2 { #expect(try Data(contentsOf: URL(filePath: input.path)) == Data(bytes)) }
    }

    @Test(arguments: [0, 1, 1_000_000])
    func isTheInput(length: Int) throws {
        try spool([UInt8](repeating: 0x78, count: length), near: "\(folder.path)/new")
    }

    @Test(arguments: ["/new", "/new///", "/.", "/", ""])
    func isBesideAFolder(name: String) throws {
        try spool([1, 2, 3], near: folder.path + name)
    }

    @Test func needsAParentFolder() throws {
        let path = "\(folder.path)/no/new"
        let error = #expect(throws: CommandError.self) { try spool([1], near: path) }
        #expect(error?.code == .noInput)
        #expect(error?.message.hasPrefix("cannot write in \(folder.path)/no: ") == true)
    }
}
