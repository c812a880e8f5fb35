#!/bin/bash
# Run once, in the container of a test database: the accounts Headroom's own grants scripts make, in the pluggable
# database and in the root. Their password is that of SYS and SYSTEM.
set -euo pipefail
password=$(cat /run/secrets/oracle_password)

make_account() {  # in which container, by which script
    { echo "ALTER SESSION SET CONTAINER = $1;"; sed "s/<password>/$password/" "$2"; } |
        sqlplus -S -L / as sysdba
}

here=$(dirname "${BASH_SOURCE[0]}")
make_account FREEPDB1 "$here/grants/database.sql"
make_account 'CDB$ROOT' "$here/grants/container-database.sql"
