\set ON_ERROR_STOP on
-- It changes nothing; the first error ends `psql`.
SET client_min_messages = warning;
SET statement_timeout = 0;
SET lock_timeout = '5s';
SET idle_in_transaction_session_timeout = '5s';
SET enable_seqscan = off;
SET jit = off;
CREATE TEMP TABLE IF NOT EXISTS sooke_steps (
    number bigint PRIMARY KEY, task text NOT NULL, cells text[], is_new boolean NOT NULL) ON COMMIT DELETE ROWS;
CREATE OR REPLACE FUNCTION pg_temp.sooke_refuse(owner text, id bigint) RETURNS boolean LANGUAGE plpgsql AS $sooke$
BEGIN
    RAISE unique_violation USING MESSAGE = format('sooke: %s has a row with the ID %s already', owner, id),
        DETAIL = 'Sooke gave this ID to another record.';
END
$sooke$;
-- Does the steps in the temporary table. Values are never in the text of a statement, nor rows in an error: Postgres
-- writes both into its log. Each statement is planned once, maybe while its tables are empty; where it may scan, that
-- plan would scan them when they are full. A plan that has no index gets a cost so high without scans that Postgres
-- would compile it. A row is inserted, or replaces the one with its key except for the time of its creation; what is
-- new replaces none. The cells are in the order of the columns, and have slugs where a row has the IDs of others.
CREATE OR REPLACE PROCEDURE pg_temp.sooke_run() LANGUAGE plpgsql AS $sooke$
DECLARE
    given record;
    c text[];
    detail text;
    hint text;
BEGIN
    FOR given IN SELECT task, cells, is_new FROM pg_temp.sooke_steps ORDER BY number LOOP
        c := given.cells;
        CASE given.task
        WHEN 'users' THEN
            INSERT INTO users (id, clerk_id, role_id, email, display_name, created_at, updated_at)
            VALUES (c[1]::bigint, c[2], (SELECT id FROM user_roles WHERE name = c[3]), c[4], c[5], c[6]::timestamptz,
                c[7]::timestamptz)
            ON CONFLICT (id) DO UPDATE SET clerk_id = EXCLUDED.clerk_id, role_id = EXCLUDED.role_id,
                email = EXCLUDED.email, display_name = EXCLUDED.display_name, updated_at = EXCLUDED.updated_at
            WHERE NOT given.is_new OR pg_temp.sooke_refuse('users', users.id);
        WHEN 'business_categories' THEN
            INSERT INTO business_categories (id, name, slug, created_at, updated_at)
            VALUES (c[1]::bigint, c[2], c[3], c[4]::timestamptz, c[5]::timestamptz)
            ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, slug = EXCLUDED.slug,
                updated_at = EXCLUDED.updated_at
            WHERE NOT given.is_new OR pg_temp.sooke_refuse('business_categories', business_categories.id);
        WHEN 'event_types' THEN
            INSERT INTO event_types (id, name, slug, created_at, updated_at)
            VALUES (c[1]::bigint, c[2], c[3], c[4]::timestamptz, c[5]::timestamptz)
            ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, slug = EXCLUDED.slug,
                updated_at = EXCLUDED.updated_at
            WHERE NOT given.is_new OR pg_temp.sooke_refuse('event_types', event_types.id);
        WHEN 'businesses' THEN
            INSERT INTO businesses (id, owner_id, category_id, name, slug, description, phone, email, website,
                address, latitude, longitude, created_at, updated_at)
            VALUES (c[1]::bigint, c[2]::bigint, (SELECT id FROM business_categories WHERE slug = c[3]), c[4], c[5],
                c[6], c[7], c[8], c[9], c[10], COALESCE(c[11]::double precision, sooke_center(1)),
                COALESCE(c[12]::double precision, sooke_center(2)), c[13]::timestamptz, c[14]::timestamptz)
            ON CONFLICT (id) DO UPDATE SET owner_id = EXCLUDED.owner_id, category_id = EXCLUDED.category_id,
                name = EXCLUDED.name, slug = EXCLUDED.slug, description = EXCLUDED.description,
                phone = EXCLUDED.phone, email = EXCLUDED.email, website = EXCLUDED.website,
                address = EXCLUDED.address, latitude = EXCLUDED.latitude, longitude = EXCLUDED.longitude,
                updated_at = EXCLUDED.updated_at
            WHERE NOT given.is_new OR pg_temp.sooke_refuse('businesses', businesses.id);
        WHEN 'business_hours' THEN
            INSERT INTO business_hours (id, business_id, day_of_week, open_time, close_time, is_closed, created_at,
                updated_at)
            VALUES (c[1]::bigint, c[2]::bigint, c[3]::bigint, c[4]::time, c[5]::time, c[6]::boolean,
                (SELECT created_at FROM businesses WHERE id = c[2]::bigint),
                (SELECT created_at FROM businesses WHERE id = c[2]::bigint))
            ON CONFLICT (id) DO UPDATE SET business_id = EXCLUDED.business_id, day_of_week = EXCLUDED.day_of_week,
                open_time = EXCLUDED.open_time, close_time = EXCLUDED.close_time, is_closed = EXCLUDED.is_closed,
                updated_at = EXCLUDED.updated_at
            WHERE NOT given.is_new OR pg_temp.sooke_refuse('business_hours', business_hours.id);
        WHEN 'menus' THEN
            INSERT INTO menus (id, business_id, name, description, created_at, updated_at)
            VALUES (c[1]::bigint, c[2]::bigint, c[3], c[4],
                (SELECT created_at FROM businesses WHERE id = c[2]::bigint),
                (SELECT created_at FROM businesses WHERE id = c[2]::bigint))
            ON CONFLICT (id) DO UPDATE SET business_id = EXCLUDED.business_id, name = EXCLUDED.name,
                description = EXCLUDED.description, updated_at = EXCLUDED.updated_at
            WHERE NOT given.is_new OR pg_temp.sooke_refuse('menus', menus.id);
        WHEN 'menu_items' THEN
            INSERT INTO menu_items (id, menu_id, name, description, price, created_at, updated_at)
            VALUES (c[1]::bigint, c[2]::bigint, c[3], c[4], c[5]::numeric,
                (SELECT b.created_at FROM menus m JOIN businesses b ON b.id = m.business_id WHERE m.id = c[2]::bigint),
                (SELECT b.created_at FROM menus m JOIN businesses b ON b.id = m.business_id WHERE m.id = c[2]::bigint))
            ON CONFLICT (id) DO UPDATE SET menu_id = EXCLUDED.menu_id, name = EXCLUDED.name,
                description = EXCLUDED.description, price = EXCLUDED.price, updated_at = EXCLUDED.updated_at
            WHERE NOT given.is_new OR pg_temp.sooke_refuse('menu_items', menu_items.id);
        WHEN 'events' THEN
            INSERT INTO events (id, event_type_id, submitted_by, business_id, name, slug, description, latitude,
                longitude, starts_at, ends_at, status, created_at, updated_at)
            VALUES (c[1]::bigint, (SELECT id FROM event_types WHERE slug = c[2]), c[3]::bigint,
                (SELECT id FROM businesses WHERE slug = c[4]), c[5], c[6], c[7], c[8]::double precision,
                c[9]::double precision, c[10]::timestamptz, c[11]::timestamptz, c[12], c[13]::timestamptz,
                c[14]::timestamptz)
            ON CONFLICT (id) DO UPDATE SET event_type_id = EXCLUDED.event_type_id,
                submitted_by = EXCLUDED.submitted_by, business_id = EXCLUDED.business_id, name = EXCLUDED.name,
                slug = EXCLUDED.slug, description = EXCLUDED.description, latitude = EXCLUDED.latitude,
                longitude = EXCLUDED.longitude, starts_at = EXCLUDED.starts_at, ends_at = EXCLUDED.ends_at,
                status = EXCLUDED.status, updated_at = EXCLUDED.updated_at
            WHERE NOT given.is_new OR pg_temp.sooke_refuse('events', events.id);
        WHEN 'sooke_documents' THEN
            INSERT INTO sooke_documents (kind, id, document)
            VALUES (c[1], c[2]::bigint, c[3])
            ON CONFLICT (kind, id) DO UPDATE SET document = EXCLUDED.document
            WHERE NOT given.is_new OR pg_temp.sooke_refuse('sooke_documents', sooke_documents.id);
        ELSE EXECUTE given.task;
        END CASE;
    END LOOP;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    IF SQLSTATE IN ('23503', '23505') THEN
        hint := 'A row here is not from Sooke: enter it there, and delete it here. Until the hand-over only the '
            'follower may write.';
    ELSE
        detail := 'Rows are not shown: they may be secret.';
    END IF;
    RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = SQLERRM, DETAIL = detail,
        HINT = concat_ws(' ', 'Nothing was changed.', NULLIF(hint, ''));
END
$sooke$;
