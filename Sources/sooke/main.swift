import Platform

FileDescriptor.openStandard()
Signals.ignoreFileSizeLimit()
CrashReport.begin(of: BuildInfo.line)
Machine.exit(Program.sooke.run(Array(CommandLine.arguments.dropFirst()), on: Console()).rawValue)
