"""The recipes of the pages for operators, and what must hold after each: blocks of the pages by their number, and
commands that must succeed; those behind `USER:` are run by the user that follows the recipes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """A block of the pages: how it ends, and the commands that fail, each after its status and with a line end."""

    number: int
    status: int = 0
    failures: str = ""


DATA, BACKUPS = "/var/lib/sooke", "/var/backups/sooke"
ROWS = "name,address,latitude,longitude,category\\nThe Crab Shack%s,1 Wharf Road,48.37,-123.73,Shops & Galleries\\n"
# One more business, through the server.
ADD = f"""
    printf '{ROWS}' " $(date +%s%N)" > /mnt/more.csv
    USER: sooke import --data {DATA} more.csv | grep '1 new'
"""
NEWEST = f"$(ls -t {BACKUPS}/*.json | head -n 1)"
FORMER = f"test -e {DATA}-2*/manifest.json && rm -r {DATA}-2*"
FETCHED = "/srv/backups/sooke"

RECIPES: dict[str, list[str | Block]] = {
    "install": [Block(0), f"""
        tail -n 1 said | grep https://town.example/setup
        caddy validate --adapter caddyfile --config /etc/caddy/Caddyfile
        businesses 8
        own {DATA} {BACKUPS}
        [ "$(stat --format '%U %a' /usr/local/bin/sooke)" = 'root 755' ]
        cp sooke image
    """],
    "update": ["printf newer >> sooke; pid > before", *[Block(1)] * 2, f"""
        businesses 8 && own {DATA}
        [ "$(pid)" != "$(cat before)" ] && cmp sooke /proc/$(pid)/exe
        cmp image /usr/local/bin/sooke-before-update
        test -s {BACKUPS}/before-update.json
    """],
    "roll back": [*[Block(2)] * 2, f"businesses 8 && own {DATA} && cmp image /proc/$(pid)/exe"],
    # The folder is as a newer version would have written it: the older one refuses it, and the backup restores.
    "roll back over a format": [Block(1), ADD, "systemctl stop sooke", "NEWER FORMAT",
                                Block(2, 1, "1 systemctl start sooke\n"), """
        ended 78 && log sooke | grep 'Start the version of sooke that wrote it'
    """, Block(3), FORMER, Block(3), f"""
        businesses 8 && own {DATA}
        {FORMER}
    """],
    # From a machine whose service user has another number, and which serves until it is told to stop.
    "move": [f"""
        systemctl stop sooke
        ssh old.example useradd --system --uid 731 --home-dir {DATA} --shell /usr/sbin/nologin sooke
        rsync --archive /usr/local/bin/sooke old.example:/usr/local/bin/
        rsync /etc/systemd/system/sooke.service old.example:/etc/systemd/system/
        rsync --archive {DATA} old.example:/var/lib/
        ssh old.example systemctl enable --now sooke
        rm -r {DATA}; systemctl start sooke
        businesses 0
    """, Block(4), f"""
        businesses 8 && own {DATA}
        ssh old.example '! systemctl is-active sooke && ! systemctl is-enabled sooke'
    """],
    # A backup of the day, one of each minute that has changed something, and one that fails until there is room again.
    "backups": [Block(5), f"""
        systemctl is-active sooke-backup.timer && systemctl stop sooke-backup.timer sooke-backup
        systemctl start sooke-backup; systemctl reset-failed sooke-backup
        own {BACKUPS}/town-*.json {BACKUPS}/now-*.json && ls {BACKUPS} > before
        systemctl start sooke-backup && ls {BACKUPS} | cmp - before
    """, ADD, f"""
        sleep 1.1; systemctl start sooke-backup && [ $(ls {BACKUPS} | wc -l) = $(($(wc -l < before) + 1)) ]
    """, ADD, f"""
        mount -t tmpfs -o size=64k,mode=777 none {BACKUPS}; head -c 65536 /dev/zero > {BACKUPS}/full
        ! systemctl start sooke-backup
        log sooke-backup | grep 'cannot write.*No space left on device'
        USER: sooke status --format json --data {DATA} | grep '"backup_error":"[^"]*No space left'
        curl -s --unix-socket {DATA}/admin.sock http://localhost/metrics | grep -x 'sooke_backup_failed 1'
        umount {BACKUPS} && systemctl start sooke-backup
        USER: sooke status --format json --data {DATA} | grep '"backup_error":null'
        businesses 10
    """],
    # A file is copied once and outlives that of the town; of each kind the oldest are deleted, by their names.
    "fetch backups": [Block(9), f"""
        systemctl is-active sooke-{{fetch,check}}.timer && systemctl stop sooke-{{fetch,check}}.{{timer,service}}
        touch -d @0 {BACKUPS}/town-2026-11-24.json.partial {BACKUPS}/now-2020-01-01-000000.json
        systemctl reset-failed; systemctl start sooke-fetch && diff -r --exclude '*.partial' {BACKUPS} {FETCHED}
        test ! -e {FETCHED}/town-2026-11-24.json.partial && ls -lic --time-style=full-iso {FETCHED} > before
        rm {BACKUPS}/town-2026-11-24.json.partial {BACKUPS}/now-2020-01-01-000000.json
        systemctl start sooke-fetch && ls -lic --time-style=full-iso {FETCHED} | diff before -
        touch -d @0 {FETCHED}/now-2019-{{0001..1440}}.json {FETCHED}/town-2019-{{001..366}}.json
        systemctl reset-failed; systemctl start sooke-fetch && [ $(ls {FETCHED}/now-* | wc -l) = 1440 ]
        [ $(ls {FETCHED}/town-* | wc -l) = 366 ]
        test ! -e {FETCHED}/now-2019-0001.json && test -e {FETCHED}/now-2019-1440.json
        systemctl start sooke-check
        sed -i 's/Blue Camas/Blue Xamas/' "$(ls -t {FETCHED}/*.json | head -n 1)"; ! systemctl start sooke-check
        ended 65 sooke-check && log sooke-check | grep checksum
    """],
    "restore": [ADD, Block(6), FORMER, Block(6), f"""
        businesses 10 && own {DATA}
        {FORMER}
    """],
    # No empty town is served, and the former folder can be moved back.
    "restore a damaged backup": [
        f"sed 's/Blue Camas/Blue Xamas/' {NEWEST} > {BACKUPS}/zzz.json; chmod 644 {BACKUPS}/zzz.json",
        Block(6, 65), f"""
        ended 0 && ! systemctl is-active sooke
        rm {BACKUPS}/zzz.json; rm -r {DATA}; mv {DATA}-2* {DATA}; systemctl start sooke; businesses 10 && own {DATA}
    """],
    # A place that was deleted is there again, and nothing else has changed; the second time there is nothing to do.
    "one record": [f"""
        printf '{ROWS}' '' > more.csv
        sooke import --data {DATA} more.csv
        sleep 1.1; TZ=$(sooke town --data {DATA} | sed -n 's/^time zone *//p') date '+%F %T' > at
    """, ADD, f"""
        curl -s -f -X DELETE --unix-socket {DATA}/admin.sock http://localhost/api/v1/businesses/the-crab-shack
        businesses 11
    """, Block(8), "grep '1 new' said", Block(8), f"""
        grep 'nothing changed' said
        businesses 12 && own {DATA} && test ! -e /srv/before
    """],
    # A byte of the log has changed, so a start is refused.
    "repair": [ADD, f"""
        systemctl stop sooke
        sed -i '0,/Crab/s//Crob/' "$(ls {DATA}/wal-*.log | tail -n 1)"; ! systemctl start sooke
        ended 65
    """, Block(7, 0, r"[12] .*sooke verify .*\n(2 .*sooke repair .*\n)?"), f"""
        grep 'wal-[0-9]*.log' said
        businesses 12 || businesses 13
        own {DATA}; {FORMER}
    """],
    # Nothing is left to repair: no empty town is served, and the folder stays.
    "repair in vain": [f"""
        systemctl stop sooke; rm {DATA}/snapshot-*.json
        sed -i '0,/{{/s//[/' "$(ls {DATA}/wal-*.log | head -n 1)"; ! systemctl start sooke
        ended 65 && cp -r {DATA} before-repair
    """, Block(7, 1, r"[12] .*sooke verify .*\n2 sooke repair .*\n"), f"""
        ! systemctl is-active sooke && diff -r {DATA} before-repair
    """],
}

# What a service must not be able to do, and what it must. Each prints a line when it could.
PROBE = f"""#!/bin/bash
{{ touch /etc/probe && echo etc; touch /usr/local/bin/probe && echo bin; ls /root/* && echo root
unshare --user true && echo user; ls /proc/1 && echo proc
ls /proc/meminfo && echo facts; ls /dev/fuse /dev/mem /dev/kmsg && echo device
touch {DATA}/probe && echo data; chmod 4755 {DATA}/probe && echo setuid; chmod 700 {DATA}/probe && echo mode
chown 0 {DATA}/probe && echo owner; touch /tmp/probe && echo temporary; [ -e /tmp/outside ] && echo shared
kill -0 1 && echo kill; mount -t tmpfs none /mnt && echo mount; nice -n -1 true 2>&1 | grep -q . || echo nice
echo x > /sys/kernel/mm/ksm/run && echo tunable; }} 2> /dev/null
"""
VARIANTS = ["", "--host 0.0.0.0 --port 80", "--url https://town.example --proxy ::1 --time-zone Europe/Paris",
            "--data '/srv/50% of \"the\" town; $HOME'", "--data /var/lib/towns/sooke"]
VARIANT = "/etc/systemd/system/variant"
# systemd reads each unit without a remark, and rates it; the server runs under it.
UNIT = "".join(f"""
    sooke unit {options} > {VARIANT}.service; [ -z "$(systemd-analyze verify {VARIANT}.service 2>&1)" ]
    systemd-analyze security --offline=true --threshold=20 {VARIANT}.service
    sooke unit --backups service {options.replace("--host 0.0.0.0 --port 80", "")} > {VARIANT}-backups.service
    [ -z "$(systemd-analyze verify {VARIANT}-backups.service 2>&1)" ]
    systemd-analyze security --offline=true --threshold=20 {VARIANT}-backups.service
    systemctl stop sooke caddy; install -d -o sooke -g sooke -m 0700 /var/lib/towns '/srv/50% of "the" town; $HOME'
    systemctl daemon-reload; systemctl start variant && systemctl stop variant && ended 0 variant
""" for options in VARIANTS) + f"""
    touch /tmp/outside; sooke unit | sed 's|^ExecStart=.*|ExecStart=/mnt/probe|' > {VARIANT}.service
    systemctl daemon-reload; systemctl start variant; systemctl stop variant; rm -f /tmp/outside {DATA}/probe
    log variant | grep -xE '[a-z]+' | sort -u | paste -s -d ' ' | grep -x 'data mode temporary'
    systemctl start sooke && sooke status --data {DATA} && sooke snapshot --data {DATA} && sooke verify --data {DATA}
    sooke backup --data {DATA} town.json && sooke changes --data {DATA} && sooke export --data {DATA} > /dev/null
    grep -E '^(NoNewPrivs:.1|Seccomp:.2|CapBnd:.0+)$' /proc/$(pid)/status | wc -l | grep -x 3
    kill -SEGV $(pid); until systemctl show --property NRestarts --value sooke | grep -x 1; do sleep 0.1; done
    until curl -sf http://127.0.0.1:8080/live; do sleep 0.1; done; businesses 8
    log sooke | grep 'they are also in {DATA}/crash.log'
    log sooke | grep 'has crashed (request: none). Send {DATA}/crash.log'
    rm {DATA}/crash.log; own {DATA}
"""
