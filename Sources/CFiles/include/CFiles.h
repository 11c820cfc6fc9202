#ifndef SOOKE_CFILES_H
#define SOOKE_CFILES_H

// The text of each file. Swift's compiler takes half a minute for the same bytes in array literals.
const char *sooke_site_css(void);
const char *sooke_page_js(void);
const char *sooke_forms_js(void);
const char *sooke_demo_json(void);
const char *sooke_week_json(void);
const char *sooke_library_ics(void);
const char *sooke_hall_ics(void);
const char *sooke_service(void);
const char *sooke_backup_service(void);
const char *sooke_backup_timer(void);
const char *sooke_outside_service(void);
const char *sooke_reach_conf(void);
const char *sooke_tables_sql(void);
const char *sooke_prepare_sql(void);
const char *sooke_follow_sql(void);
const char *sooke_completion_bash(void);
const char *sooke_completion_zsh(void);
const char *sooke_zones_txt(void);
const char *sooke_countries_txt(void);
const char *sooke_passwords_txt(void);
const char *sooke_mails_txt(void);

#endif
