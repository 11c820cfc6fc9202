-- What follows is created in the schema `sooke` where the role's `search_path` has one: to read tables, others get
-- the right for whole schemas.
DO $sooke$
BEGIN
    IF 'sooke' = ANY (current_schemas(false)) THEN
        PERFORM set_config('search_path', 'sooke, ' || current_setting('search_path'), true);
    END IF;
END
$sooke$;
-- The locks keep others from writing into the tables meanwhile.
DO $sooke$
DECLARE
    given text;
    is_used boolean;
BEGIN
    FOREACH given IN ARRAY ARRAY['users', 'business_categories', 'event_types', 'businesses', 'business_hours',
        'menus', 'menu_items', 'events', 'user_roles'] LOOP
        IF to_regclass(given) IS NULL THEN
            RAISE EXCEPTION 'sooke: nothing was changed: the database has no table %', given
                USING HINT = 'Run the migrations of the Go service first, or export with --schema.';
        END IF;
    END LOOP;
    FOREACH given IN ARRAY ARRAY['users', 'business_categories', 'event_types', 'businesses', 'business_hours',
        'menus', 'menu_items', 'events', 'sooke_documents', 'sooke_position'] LOOP
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
CREATE TABLE IF NOT EXISTS sooke_documents (
    kind text NOT NULL, id bigint NOT NULL, document text NOT NULL, PRIMARY KEY (kind, id));
REVOKE ALL ON sooke_documents FROM PUBLIC;
CREATE TABLE IF NOT EXISTS sooke_position (
    store text NOT NULL, sequence bigint NOT NULL, chain text NOT NULL, at timestamptz NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS sooke_position_is_one ON sooke_position ((true));
-- Locks the position, so that of two streams the second one fails.
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
-- Moves the sequence of a table past an ID, and never back.
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
-- Where the town is.
CREATE OR REPLACE FUNCTION sooke_center(part int) RETURNS double precision LANGUAGE sql STABLE AS $sooke$
    SELECT COALESCE((
        SELECT split_part(trim(BOTH '"' FROM (document::json -> 'center')::text), ',', part)::double precision
        FROM sooke_documents WHERE kind = 'settings' AND (document::json -> 'center')::text LIKE '"%'), 0)
$sooke$;
-- Drops the keys, regardless of their names, and remembers them: making them once at the end takes a fraction of
-- keeping them for each row. A key on which others depend, such as views or tables of strangers, stays.
CREATE TEMP TABLE sooke_keys ON COMMIT DROP AS
    SELECT conrelid::regclass AS owner, conname AS name, contype = 'f' AS is_foreign,
        pg_get_constraintdef(oid) AS definition
    FROM pg_constraint
    WHERE contype IN ('f', 'u', 'p') AND conparentid = 0 AND conrelid = ANY (ARRAY['users', 'business_categories',
        'event_types', 'businesses', 'business_hours', 'menus', 'menu_items', 'events', 'sooke_documents',
        'user_roles']::regclass[]);
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
-- Those that are missing: the IDs of roles are the database's own.
INSERT INTO user_roles (name)
    SELECT v.name FROM unnest(ARRAY['super_admin', 'business_owner', 'general_user']) AS v (name)
    WHERE NOT EXISTS (SELECT FROM user_roles r WHERE r.name = v.name);
CREATE TEMP TABLE sooke_users (
    id bigint, clerk_id text, role text, email text, display_name text, created_at timestamptz,
    updated_at timestamptz) ON COMMIT DROP;
