import CFiles
import SookeModel

/// What a script does beside the rows: the files of this folder, and the statements around them.
enum PostgresSchema {
    /// Changes nothing. The first error must end `psql`, since it takes the lines of a refused `COPY` for commands.
    static let beginning = """
        \\set ON_ERROR_STOP on
        BEGIN;
        SET LOCAL client_encoding = 'UTF8';
        SET LOCAL standard_conforming_strings = on;
        SET LOCAL datestyle = 'ISO, YMD';
        SET LOCAL timezone = 'UTC';
        SET LOCAL statement_timeout = 0;
        SET LOCAL client_min_messages = warning;

        """

    /// The tables of the Go service, where there are none.
    static let tables = String(cString: sooke_tables_sql())
    /// The locks of empty tables, what the export adds to them, and the state in which they are filled at once.
    static let preparation = String(cString: sooke_prepare_sql())
    /// What a follower begins with, and then uses for each step.
    static let following = String(cString: sooke_follow_sql())

    /// - Parameter center: where the town was; only what is there is looked at, since reading all documents takes long.
    static func moveToCenter(from center: Coordinates?) -> String {
        let place = [center?.latitude ?? 0, center?.longitude ?? 0].map { PostgresText.double($0).postgresLiteral }
        return """
            UPDATE businesses b SET latitude = sooke_center(1), longitude = sooke_center(2) FROM sooke_documents d
                WHERE b.latitude = \(place[0]) AND b.longitude = \(place[1])
                AND d.kind = 'business' AND d.id = b.id AND (d.document::json -> 'latitude')::text = 'null'
            """
    }

    /// In the temporary table people have roles by name.
    static let users = """
        INSERT INTO users (id, clerk_id, role_id, email, display_name, created_at, updated_at)
            SELECT u.id, u.clerk_id, r.id, u.email, u.display_name, u.created_at, u.updated_at
            FROM sooke_users u LEFT JOIN user_roles r ON r.name = u.role;

        """

    /// This checks all rows.
    static let keys = """
        DO $sooke$
        DECLARE
            given record;
        BEGIN
            FOR given IN SELECT * FROM sooke_keys ORDER BY is_foreign LOOP
                EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', given.owner, given.name, given.definition);
            END LOOP;
        END
        $sooke$;

        """

    /// A sequence is set even if the transaction fails.
    static func sequences(_ highest: [(table: String, id: Int)]) -> String {
        highest.map { "CALL sooke_given(\($0.table.postgresLiteral), \($0.id));\n" }.joined()
    }

    static let end = """
        COMMIT;
        ANALYZE \((["user_roles"] + PostgresTable.all.map(\.name)).joined(separator: ", "));

        """
}
