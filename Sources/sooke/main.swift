#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

exit(Program.sooke.run(Array(CommandLine.arguments.dropFirst()), on: Console()).rawValue)
