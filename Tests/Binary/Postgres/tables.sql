-- The tables of the Go service, and rows of every awkward kind.
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
CREATE TABLE event_types (LIKE business_categories INCLUDING ALL);
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
    submitted_by bigint NOT NULL REFERENCES users, business_id bigint REFERENCES businesses ON DELETE SET NULL,
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

INSERT INTO user_roles (id, name) VALUES (1, 'super_admin'), (2, 'business_owner'), (3, 'general_user');
INSERT INTO users (id, clerk_id, role_id, email, display_name) VALUES
    (7, 'user_1', 1, 'ada@town.example', 'Ada "the first" O''Brien'),
    (9, 'user_2', 2, 'olga@town.example', E'Olga\\Ø'), (12, 'user_3', 3, 'mia@town.example', '');
INSERT INTO business_categories (id, name, slug) VALUES (3, 'Café & Bakery', 'café-bakery'), (5, 'Bars', 'bars');
INSERT INTO event_types (id, name, slug) VALUES (2, 'Live Music', 'live-music');
INSERT INTO businesses
    (id, owner_id, category_id, name, slug, description, phone, email, website, address, latitude, longitude) VALUES
    (11, 9, 3, 'Zed''s "Diner" \ 湖', 'zeds-diner', E'first line\nsecond\tline\r\n🎻 \\n', '250-555-0101', '',
     'https://zeds.example/?a=1&b="2"', E'1 A\n2 B', 48.35777777777770, -123.73),
    (14, NULL, NULL, 'Shed', 'shed', NULL, NULL, NULL, NULL, '4 A', -0.1, 180),
    (15, NULL, 5, 'e' || U&'\0301', 'e-1', '', '', 'a@b.example', '', 'x', 48, -123);
INSERT INTO business_hours (id, business_id, day_of_week, open_time, close_time, is_closed) VALUES
    (21, 11, 6, '18:30', '01:30', false), (22, 11, 0, '00:00', '00:00', true), (23, 11, 1, '00:00', '24:00', false),
    (24, 15, 3, '09:00:01.9', '17:00:00', false);
INSERT INTO menus (id, business_id, name, description) VALUES (31, 11, 'Taps', NULL), (32, 11, 'It''s "lunch"', E'a\nb');
INSERT INTO menu_items (id, menu_id, name, description, price) VALUES
    (41, 32, 'Éclair', NULL, 0), (42, 32, 'soup', 'of the "day"', 99999999.99), (43, 32, 'tea', '', 3.5);
INSERT INTO events
    (id, event_type_id, submitted_by, business_id, name, slug, description, latitude, longitude, starts_at, ends_at,
     status) VALUES
    (51, 2, 12, 11, 'Fiddle "Night"', 'fiddle-night', E'a\nb', NULL, NULL, '2035-06-01 19:00:00.25-07',
     '2035-06-02 01:30-07', 'approved'),
    (52, 2, 9, NULL, 'Regatta', 'regatta', NULL, 48.36, -123.72, '2035-05-01 16:00Z', NULL, 'pending_review'),
    (53, 2, 7, NULL, 'Nowhere yet', 'nowhere-yet', NULL, NULL, NULL, '2035-05-01 16:00Z', NULL, 'draft');
