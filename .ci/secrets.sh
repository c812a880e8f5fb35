#!/bin/sh
# Make the secrets that docker-compose.yml gives to its services, unless they are there.
# The folder is for its owner alone; inside, the containers' users can read.
set -eu
cd "$(dirname "$0")/.."
mkdir -p -m 700 secrets
umask 022

random() {  # as many random bytes as asked for, in URL-safe base64
    head -c "$1" /dev/urandom | base64 | tr -d '\n' | tr '+/' '-_'
}

[ -e secrets/postgres_password ] || random 24 >secrets/postgres_password
[ -e secrets/database_url ] ||
    echo "postgresql://headroom:$(cat secrets/postgres_password)@postgres:5432/headroom" >secrets/database_url
[ -e secrets/secret_key ] || random 48 >secrets/secret_key
[ -e secrets/secret_keys ] || random 32 >secrets/secret_keys
[ -e secrets/oracle_password ] || random 18 | tr -d '_-' >secrets/oracle_password  # of a database to test against
