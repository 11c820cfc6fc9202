import Testing

@testable import Exchange

@Suite struct PostgresDumpTests {
    private static let dump = """
        --
        -- PostgreSQL database dump
        --
        \\restrict aB3
        SET client_encoding = 'UTF8';
        CREATE TABLE public.users (id bigint NOT NULL);
        COPY public.users (id, "clerk_id", email) FROM stdin;
        1\t\\N\ta\\tb\\nc\\\\d
        2\t\t\\\\N
        \\.

        COPY odd.places (id) FROM stdin;
        \\.
        SELECT pg_catalog.setval('public.users_id_seq', 12, true);
        SELECT pg_catalog.setval('public.menus_id_seq', 1, false);
        -- PostgreSQL database dump complete
        \\unrestrict aB3

        """

    private static func read(_ text: String) -> PostgresDump { PostgresDump(Array(text.utf8)) }

    @Test(arguments: ["\n", "\r\n"])
    func blocksAreRead(lineEnd: String) throws {
        let dump = Self.read(
            Self.dump.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd))
        #expect(dump.problem == nil)
        let users = try #require(dump.blocks["users"])
        #expect(users.columns == ["id", "clerk_id", "email"] && users.line == 7)
        #expect(users.rows.map(\.line) == [8, 9])
        #expect(users.rows.map(dump.values) == [["1", nil, "a\tb\nc\\d"], ["2", "", "\\N"]])
        #expect(dump.blocks["places"]?.rows.isEmpty == true)
        #expect(dump.sequences == ["users_id_seq": 12, "menus_id_seq": 0])
    }

    @Test(arguments: [
        ("SET client_encoding = 'LATIN1';\n", "is not in UTF-8"),
        ("INSERT INTO public.users VALUES (1);\n", "--inserts"),
        ("CREATE TABLE x ();\n", "has no rows"), ("COPY a.t (id) FROM stdin;\n1\n", "ends too early"),
        ("COPY a.t (id) FROM stdin;\n1\n\\.\n", "ends too early"),
        ("COPY a.t (id) FROM stdin;\n\\.\nCOPY b.t (id) FROM stdin;\n\\.\n", "has the table t twice"),
    ])
    func whatCannotBeReadIsRefused(text: String, message: String) throws {
        let problem = try #require(Self.read(text).problem)
        #expect(problem.message.contains(message))
    }

    @Test(arguments: ["PGDMP\u{1}\u{e}", "toc.dat\u{0}\u{0}"])
    func aCustomDumpGetsTheCommand(start: String) {
        let file = ImportFile(name: "x.sql", bytes: Array(start.utf8))
        #expect(TestTown().problems(with: [file]).first?.contains("pg_restore -f town.sql") == true)
    }

    @Test(arguments: [
        ("2035-06-01 19:00:00.25-07", "2035-06-02 02:00:00.25+00"),
        ("2035-06-02 07:30:00+05:30", "2035-06-02 02:00:00+00"),
        ("1883-01-01 00:00:00-08:12:28", "1883-01-01 08:12:28+00"),
        ("2035-06-02 02:00:00+00", "2035-06-02 02:00:00+00"),
        ("0001-02-29 12:00:00+00 BC", "0001-02-29 12:00:00+00 BC"), ("0044-03-15 12:00:00+00 BC", nil),
        ("infinity", nil), ("12035-06-02 02:00:00+00", nil),
    ])
    func timesHaveAnyOffset(text: String, canonical: String?) {
        #expect(PostgresText.canonical(text, .timestamp) == canonical)
    }

    @Test(arguments: [
        ("3.5", PostgresTable.Column.Value.numeric, Optional("3.50")), ("3", .numeric, "3.00"),
        ("3.5000", .numeric, "3.50"),
        ("3.555", .numeric, nil), ("NaN", .numeric, nil), ("48.0", .double, "48"), ("Infinity", .double, nil),
        ("09:00:01.9", .time, "09:00:01"), ("24:00:00", .time, "24:00:00"), ("t", .boolean, "t"),
        ("yes", .boolean, nil), ("007", .integer, "7"), ("x", .integer, nil), (" x ", .text, " x "),
    ])
    func valuesBecomeCanonical(text: String, type: PostgresTable.Column.Value, canonical: String?) {
        #expect(PostgresText.canonical(text, type) == canonical)
    }
}
