package struct TimeZoneDatabase: Sendable {
    package let directory: String

    package init(directory: String = "/usr/share/zoneinfo") {
        self.directory = directory
    }

    private static let largestFile = 1 << 20

    /// Copies of all zones: `posix` has the same, `right` those of clocks that count leap seconds.
    private static let variants = ["posix", "right"]

    /// Deeper folders are not searched: a link may lead back up.
    private static let deepestFolder = 4

    /// nil when there is none. The name must not lead out of the database.
    package func file(named name: String) -> [UInt8]? {
        guard let file = try? OwnedDescriptor.open("\(directory)/\(name)", [.read, .nonBlocking]),
            let length = file.descriptor.regularFileLength, 1...Self.largestFile ~= length,
            // Of all zones, which a server keeps: an array would keep the room of a longer one.
            let bytes = try? file.descriptor.read(at: 0, count: length)
        else { return nil }
        return bytes
    }

    /// Such as `2025b`; nil when the database does not say.
    package var version: String? {
        let starts = [("tzdata.zi", "# version "), ("+VERSION", "")]
        return starts.lazy.compactMap { name, start in
            let line = file(named: name)?.prefix { $0 != UInt8(ascii: "\n") } ?? []
            guard line.starts(with: start.utf8) else { return nil }
            let version = String(decoding: line.dropFirst(start.utf8.count), as: UTF8.self)
            let isName = version.utf8.allSatisfy { 0x21...0x7E ~= $0 }
            return isName && 1...40 ~= version.utf8.count ? version : nil
        }.first
    }

    /// nil when the file can be opened, or does not exist.
    package func fault(of name: String) -> SystemError? {
        do throws(SystemError) {
            _ = try OwnedDescriptor.open("\(directory)/\(name)", [.read, .nonBlocking])
            return nil
        } catch {
            return error.isMissing ? nil : error
        }
    }

    /// By the link that sets this machine's clocks; nil without one, and for a zone that is no place, such as UTC.
    package func machineZone(link: String = "/etc/localtime") -> String? {
        guard let path = try? FileDescriptor.realPath(of: link), let root = try? FileDescriptor.realPath(of: directory),
            path.hasPrefix(root + "/")
        else { return nil }
        let parts = path.dropFirst(root.count + 1).split(separator: "/").map(String.init)
        let name = (parts.first.map(Self.variants.contains) == true ? parts.dropFirst() : parts[...])
        return name.count > 1 && name.first != "Etc" ? name.joined(separator: "/") : nil
    }

    package func allFiles() -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var folders = [""]
        while let folder = folders.popLast() {
            for name in (try? FileDescriptor.workingFolder.names(in: directory + "/" + folder)) ?? [] {
                let name = folder + name
                guard !Self.variants.contains(name) else { continue }
                if let bytes = file(named: name) {
                    if bytes.starts(with: "TZif".utf8) { files[name] = bytes }
                } else if name.utf8.count(where: { $0 == UInt8(ascii: "/") }) < Self.deepestFolder {
                    folders.append(name + "/")
                }
            }
        }
        return files
    }
}
