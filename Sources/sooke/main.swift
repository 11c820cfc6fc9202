import Platform

FileDescriptor.openStandard()
Signals.ignoreFileSizeLimit()
Machine.exit(Program.sooke.run(Array(CommandLine.arguments.dropFirst()), on: Console()).rawValue)
