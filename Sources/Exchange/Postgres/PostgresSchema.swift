import SookeModel

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

    private static let names = list(PostgresTable.ofService.map(\.name) + ["user_roles"])
    private static let withCompanions = list(
        PostgresTable.ofService.map(\.name) + [PostgresTable.documents.name, "sooke_position"])

    private static let withDocuments = list(PostgresTable.all.map(\.name) + ["user_roles"])

    private static func list(_ names: [String]) -> String {
        "ARRAY[" + names.map(\.postgresLiteral).joined(separator: ", ") + "]"
    }

    static let requireNoTables = """
        DO $sooke$
        DECLARE
            given text;
        BEGIN
            FOREACH given IN ARRAY \(names) LOOP
                IF to_regclass(given) IS NOT NULL THEN
                    RAISE EXCEPTION 'sooke: nothing was changed: the database has a table % already', given
                        USING HINT = 'Export without --schema into the tables of the Go service.';
                END IF;
            END LOOP;
        END
        $sooke$;

        """

    /// The locks keep others from writing into the tables meanwhile.
    static let requireEmptyTables = """
        DO $sooke$
        DECLARE
            given text;
            is_used boolean;
        BEGIN
            FOREACH given IN ARRAY \(names) LOOP
                IF to_regclass(given) IS NULL THEN
                    RAISE EXCEPTION 'sooke: nothing was changed: the database has no table %', given
                        USING HINT = 'Run the migrations of the Go service first, or export with --schema.';
                END IF;
            END LOOP;
            FOREACH given IN ARRAY \(withCompanions) LOOP
                CONTINUE WHEN to_regclass(given) IS NULL;
                EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', to_regclass(given));
                EXECUTE format('SELECT EXISTS (SELECT FROM %s)', to_regclass(given)) INTO is_used;
                IF is_used THEN
                    RAISE EXCEPTION 'sooke: nothing was changed: the database has a town already, in the table %', given
                        USING HINT = 'Export into an empty database.';
                END IF;
            END LOOP;
        END
        $sooke$;

        """

    /// At its start the Go service applies those that are missing.
    private static let migrations = """
        20260324002144, 20260324002210, 20260324003045, 20260324003104, 20260324003121, 20260324003129, 20260324003147,
        20260324003157, 20260324003203
        """

    static let tables = """
        CREATE TABLE user_roles (
            id bigserial PRIMARY KEY, name text NOT NULL UNIQUE,
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
        CREATE TABLE users (
            id bigserial PRIMARY KEY, clerk_id text NOT NULL UNIQUE, role_id bigint NOT NULL REFERENCES user_roles,
            email text NOT NULL UNIQUE, display_name text NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
        CREATE TABLE business_categories (
            id bigserial PRIMARY KEY, name text NOT NULL UNIQUE, slug text NOT NULL UNIQUE,
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
        CREATE TABLE event_types (
            id bigserial PRIMARY KEY, name text NOT NULL UNIQUE, slug text NOT NULL UNIQUE,
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
        CREATE TABLE businesses (
            id bigserial PRIMARY KEY, owner_id bigint REFERENCES users ON DELETE SET NULL,
            category_id bigint REFERENCES business_categories, name text NOT NULL, slug text NOT NULL UNIQUE,
            description text, phone text, email text, website text, address text NOT NULL,
            latitude double precision NOT NULL, longitude double precision NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
        CREATE TABLE business_hours (
            id bigserial PRIMARY KEY, business_id bigint NOT NULL REFERENCES businesses ON DELETE CASCADE,
            day_of_week smallint NOT NULL CHECK (day_of_week BETWEEN 0 AND 6), open_time time NOT NULL,
            close_time time NOT NULL, is_closed boolean NOT NULL DEFAULT false,
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
            UNIQUE (business_id, day_of_week));
        CREATE TABLE menus (
            id bigserial PRIMARY KEY, business_id bigint NOT NULL REFERENCES businesses ON DELETE CASCADE,
            name text NOT NULL, description text,
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
            UNIQUE (business_id, name));
        CREATE TABLE menu_items (
            id bigserial PRIMARY KEY, menu_id bigint NOT NULL REFERENCES menus ON DELETE CASCADE,
            name text NOT NULL, description text, price numeric(10,2) NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
        CREATE TABLE events (
            id bigserial PRIMARY KEY, event_type_id bigint NOT NULL REFERENCES event_types,
            submitted_by bigint NOT NULL REFERENCES users,
            business_id bigint REFERENCES businesses ON DELETE SET NULL,
            name text NOT NULL, slug text NOT NULL UNIQUE, description text, latitude double precision,
            longitude double precision, starts_at timestamptz NOT NULL, ends_at timestamptz,
            status text NOT NULL DEFAULT 'draft'
                CHECK (status IN ('draft', 'pending_review', 'approved', 'cancelled', 'rejected')),
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
            CONSTRAINT chk_event_location CHECK (
                business_id IS NOT NULL AND latitude IS NULL AND longitude IS NULL
                OR business_id IS NULL AND latitude IS NOT NULL AND longitude IS NOT NULL
                OR business_id IS NULL AND latitude IS NULL AND longitude IS NULL));
        CREATE INDEX idx_user_roles_name ON user_roles (name);
        CREATE INDEX idx_users_clerk_id ON users (clerk_id);
        CREATE INDEX idx_businesses_owner_id ON businesses (owner_id);
        CREATE INDEX idx_menu_items_menu_id ON menu_items (menu_id);
        CREATE INDEX idx_event_types_name ON event_types (name);
        CREATE TABLE IF NOT EXISTS goose_db_version (
            id integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, version_id bigint NOT NULL,
            is_applied boolean NOT NULL, tstamp timestamp NOT NULL DEFAULT now());
        INSERT INTO goose_db_version (version_id, is_applied)
            SELECT version, true FROM unnest(ARRAY[0, \(migrations)]) WITH ORDINALITY AS v (version, number)
            WHERE NOT EXISTS (SELECT FROM goose_db_version WHERE version_id = version) ORDER BY number;

        """

    /// - Parameter center: where the town was; only what is there is looked at, since reading all documents takes long.
    static func moveToCenter(from center: Coordinates?) -> String {
        let place = [center?.latitude ?? 0, center?.longitude ?? 0].map { PostgresText.double($0).postgresLiteral }
        return """
            UPDATE businesses b SET latitude = sooke_center(1), longitude = sooke_center(2) FROM sooke_documents d
                WHERE b.latitude = \(place[0]) AND b.longitude = \(place[1])
                AND d.kind = 'business' AND d.id = b.id AND (d.document::json -> 'latitude')::text = 'null'
            """
    }

    /// Creates what follows in the schema `sooke` where the role's `search_path` has one: to read tables, others get
    /// the right for whole schemas.
    static let ownSchema = """
        DO $sooke$
        BEGIN
            IF 'sooke' = ANY (current_schemas(false)) THEN
                PERFORM set_config('search_path', 'sooke, ' || current_setting('search_path'), true);
            END IF;
        END
        $sooke$;

        """

    /// The tables, procedures and functions that the export adds. `sooke_advance` locks the position, so that of two
    /// streams the second one fails; `sooke_given` moves the sequence of a table past an ID, and never back;
    /// `sooke_center` is where the town is.
    static let companions = """
        CREATE TABLE IF NOT EXISTS sooke_documents (
            kind text NOT NULL, id bigint NOT NULL, document text NOT NULL, PRIMARY KEY (kind, id));
        REVOKE ALL ON sooke_documents FROM PUBLIC;
        CREATE TABLE IF NOT EXISTS sooke_position (
            store text NOT NULL, sequence bigint NOT NULL, chain text NOT NULL, at timestamptz NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS sooke_position_is_one ON sooke_position ((true));
        CREATE OR REPLACE PROCEDURE sooke_advance(town text, old text, new text, moment timestamptz)
        LANGUAGE plpgsql AS $sooke$
        DECLARE
            found sooke_position;
        BEGIN
            SELECT * INTO found FROM sooke_position FOR UPDATE;
            IF found.store IS NULL THEN
                RAISE EXCEPTION 'sooke: the database has no position; begin with a whole export';
            ELSIF found.store <> town THEN
                RAISE EXCEPTION 'sooke: the database has the town of another store, %, not of %', found.store, town;
            ELSIF found.sequence || '.' || found.chain <> old THEN
                RAISE EXCEPTION 'sooke: the database is at %.%, not at %', found.sequence, found.chain, old
                    USING HINT = 'Follow from the position of the database.';
            END IF;
            UPDATE sooke_position SET sequence = split_part(new, '.', 1)::bigint, chain = split_part(new, '.', 2),
                at = moment;
        END
        $sooke$;
        CREATE OR REPLACE PROCEDURE sooke_given(owner text, highest bigint) LANGUAGE plpgsql AS $sooke$
        DECLARE
            found regclass := pg_get_serial_sequence(to_regclass(owner)::text, 'id');
        BEGIN
            IF found IS NULL THEN
                SELECT c.oid INTO found FROM pg_attribute t
                    JOIN pg_attrdef a ON a.adrelid = t.attrelid AND a.adnum = t.attnum
                    JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = a.oid
                    JOIN pg_class c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid
                    WHERE t.attrelid = to_regclass(owner) AND t.attname = 'id' AND c.relkind = 'S';
            END IF;
            IF found IS NULL THEN
                RAISE EXCEPTION 'sooke: the IDs of the table % have no sequence', owner;
            END IF;
            PERFORM setval(found, GREATEST(highest, pg_sequence_last_value(found)))
                WHERE GREATEST(highest, pg_sequence_last_value(found)) > 0;
        END
        $sooke$;
        CREATE OR REPLACE FUNCTION sooke_center(part int) RETURNS double precision LANGUAGE sql STABLE AS $sooke$
            SELECT COALESCE((
                SELECT split_part(trim(BOTH '"' FROM (document::json -> 'center')::text), ',', part)::double precision
                FROM sooke_documents WHERE kind = 'settings' AND (document::json -> 'center')::text LIKE '"%'), 0)
        $sooke$;

        """

    /// What a follower begins with. It changes nothing; the first error must end `psql`.
    ///
    /// `sooke_run` does the steps in the temporary table. Values are never in the text of a statement, nor rows in an
    /// error: Postgres writes both into its log. Each statement is planned once, maybe while its tables are empty;
    /// where it may scan, that plan would scan them when they are full. A plan that has no index gets a cost so high
    /// without scans that Postgres would compile it.
    static let following = """
        \\set ON_ERROR_STOP on
        SET client_min_messages = warning;
        SET statement_timeout = 0;
        SET lock_timeout = '5s';
        SET idle_in_transaction_session_timeout = '5s';
        SET enable_seqscan = off;
        SET jit = off;
        CREATE TEMP TABLE IF NOT EXISTS sooke_steps (
            number bigint PRIMARY KEY, task text NOT NULL, cells text[], is_new boolean NOT NULL) ON COMMIT DELETE ROWS;
        CREATE OR REPLACE FUNCTION pg_temp.sooke_refuse(owner text, id bigint) RETURNS boolean LANGUAGE plpgsql AS \
        $sooke$
        BEGIN
            RAISE unique_violation USING MESSAGE = format('sooke: %s has a row with the ID %s already', owner, id),
                DETAIL = 'Sooke gave this ID to another record.';
        END
        $sooke$;
        CREATE OR REPLACE PROCEDURE pg_temp.sooke_run() LANGUAGE plpgsql AS $sooke$
        DECLARE
            given record;
            detail text;
            hint text;
        BEGIN
            FOR given IN SELECT task, cells, is_new FROM pg_temp.sooke_steps ORDER BY number LOOP
                CASE given.task
        \(PostgresTable.all.map(\.stepOfFollower).joined(separator: "\n"))
                ELSE EXECUTE given.task;
                END CASE;
            END LOOP;
        EXCEPTION WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
            IF SQLSTATE IN ('23503', '23505') THEN
                hint := 'A row here is not from Sooke: enter it there, and delete it here. Until the hand-over only \
                the '
                    'follower may write.';
            ELSE
                detail := 'Rows are not shown: they may be secret.';
            END IF;
            RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = SQLERRM, DETAIL = detail,
                HINT = concat_ws(' ', 'Nothing was changed.', NULLIF(hint, ''));
        END
        $sooke$;

        """

    /// Drops the keys, regardless of their names, and remembers them: making them once at the end takes a fraction of
    /// keeping them for each row. A key on which others depend, such as views or tables of strangers, stays. Adds the
    /// roles that are missing, whose IDs are the database's own.
    static let preparation = """
        CREATE TEMP TABLE sooke_keys ON COMMIT DROP AS
            SELECT conrelid::regclass AS owner, conname AS name, contype = 'f' AS is_foreign,
                pg_get_constraintdef(oid) AS definition
            FROM pg_constraint
            WHERE contype IN ('f', 'u', 'p') AND conparentid = 0 AND conrelid = ANY (\(withDocuments)::regclass[]);
        DO $sooke$
        DECLARE
            given record;
        BEGIN
            FOR given IN SELECT * FROM sooke_keys ORDER BY is_foreign DESC LOOP
                BEGIN
                    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', given.owner, given.name);
                EXCEPTION WHEN dependent_objects_still_exist THEN
                    DELETE FROM sooke_keys k WHERE k.owner = given.owner AND k.name = given.name;
                END;
            END LOOP;
        END
        $sooke$;
        INSERT INTO user_roles (name)
            SELECT v.name FROM unnest(ARRAY['super_admin', 'business_owner', 'general_user']) AS v (name)
            WHERE NOT EXISTS (SELECT FROM user_roles r WHERE r.name = v.name);
        CREATE TEMP TABLE sooke_users (
            id bigint, clerk_id text, role text, email text, display_name text, created_at timestamptz,
            updated_at timestamptz) ON COMMIT DROP;

        """

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
