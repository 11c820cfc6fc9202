#include "CFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

const char *sooke_site_css(void) {
    static const char text[] = {
#embed "../Site/Assets/site.css" suffix(, )
        0,
    };
    return text;
}

const char *sooke_page_js(void) {
    static const char text[] = {
#embed "../Site/Assets/page.js" suffix(, )
        0,
    };
    return text;
}

const char *sooke_forms_js(void) {
    static const char text[] = {
#embed "../Site/Assets/forms.js" suffix(, )
        0,
    };
    return text;
}

const char *sooke_demo_json(void) {
    static const char text[] = {
#embed "../../data/sooke.json" suffix(, )
        0,
    };
    return text;
}

const char *sooke_week_json(void) {
    static const char text[] = {
#embed "../../data/week.json" suffix(, )
        0,
    };
    return text;
}

const char *sooke_library_ics(void) {
    static const char text[] = {
#embed "../../data/library.ics" suffix(, )
        0,
    };
    return text;
}

const char *sooke_hall_ics(void) {
    static const char text[] = {
#embed "../../data/hall.ics" suffix(, )
        0,
    };
    return text;
}

const char *sooke_service(void) {
    static const char text[] = {
#embed "../sooke/Unit/sooke.service" suffix(, )
        0,
    };
    return text;
}

const char *sooke_backup_service(void) {
    static const char text[] = {
#embed "../sooke/Unit/sooke-backup.service" suffix(, )
        0,
    };
    return text;
}

const char *sooke_backup_timer(void) {
    static const char text[] = {
#embed "../sooke/Unit/sooke-backup.timer" suffix(, )
        0,
    };
    return text;
}

const char *sooke_outside_service(void) {
    static const char text[] = {
#embed "../sooke/Unit/sooke-outside.service" suffix(, )
        0,
    };
    return text;
}

const char *sooke_reach_conf(void) {
    static const char text[] = {
#embed "../sooke/Unit/reach.conf" suffix(, )
        0,
    };
    return text;
}

const char *sooke_tables_sql(void) {
    static const char text[] = {
#embed "../Exchange/Postgres/tables.sql" suffix(, )
        0,
    };
    return text;
}

const char *sooke_prepare_sql(void) {
    static const char text[] = {
#embed "../Exchange/Postgres/prepare.sql" suffix(, )
        0,
    };
    return text;
}

const char *sooke_follow_sql(void) {
    static const char text[] = {
#embed "../Exchange/Postgres/follow.sql" suffix(, )
        0,
    };
    return text;
}

const char *sooke_completion_bash(void) {
    static const char text[] = {
#embed "../sooke/CommandLine/completion.bash" suffix(, )
        0,
    };
    return text;
}

const char *sooke_completion_zsh(void) {
    static const char text[] = {
#embed "../sooke/CommandLine/completion.zsh" suffix(, )
        0,
    };
    return text;
}

const char *sooke_zones_txt(void) {
    static const char text[] = {
#embed "../Exchange/Calendar/zones.txt" suffix(, )
        0,
    };
    return text;
}

const char *sooke_countries_txt(void) {
    static const char text[] = {
#embed "../Site/Admin/countries.txt" suffix(, )
        0,
    };
    return text;
}

const char *sooke_passwords_txt(void) {
    static const char text[] = {
#embed "../Service/Credentials/passwords.txt" suffix(, )
        0,
    };
    return text;
}

const char *sooke_mails_txt(void) {
    static const char text[] = {
#embed "../Service/Mail/mails.txt" suffix(, )
        0,
    };
    return text;
}
