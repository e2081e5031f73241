#!/bin/sh
# Creates the role of the instances. The image of PostgreSQL runs it once, for an empty volume.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$APPLICATION_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
  <<'SQL'
create role edge login password :'password';
SQL
