"""The partitioned tables of vectors, the functions that read them, and the view for people's own tools."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_TABLE = """
CREATE TABLE {table} (
    target_id bigint NOT NULL REFERENCES inventory_target ON DELETE CASCADE,
    category smallint NOT NULL,
    part smallint NOT NULL,
    {moment} NOT NULL,
    captured_at timestamptz NOT NULL,
    {started}
    layout_id bigint NOT NULL REFERENCES layout,
    "values" float8[] {compression} NOT NULL,
    PRIMARY KEY (target_id, category, part, {key})
) PARTITION BY RANGE ({key})
"""

_REST = """
CREATE INDEX figure_fleet ON figure (day, category, part);

CREATE VIEW sample AS
SELECT t.name AS target, f.day, s.metric, s.component, NULLIF(u.value, 'NaN') AS value, s.unit,
       f.target_id, f.category, u.series_id
  FROM figure f
  JOIN inventory_target t ON t.id = f.target_id
  JOIN layout l ON l.id = f.layout_id
 CROSS JOIN LATERAL unnest(l.series_ids, f.values) AS u(series_id, value)
  JOIN series s ON s.id = u.series_id;

CREATE FUNCTION pick(v float8[], p int[]) RETURNS float8[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS
$$ DECLARE r float8[] := '{}'; i int; BEGIN FOREACH i IN ARRAY p LOOP r := r || v[i]; END LOOP; RETURN r; END $$;

CREATE FUNCTION series_trend(t bigint, s int, t_from date, t_to date) RETURNS TABLE(day date, value float8)
LANGUAGE sql STABLE AS $$
  WITH p AS MATERIALIZED (
      SELECT l.id, l.category, l.part, array_position(l.series_ids, s) AS pos
        FROM layout l WHERE l.series_ids @> ARRAY[s])
  SELECT f.day, NULLIF(f.values[p.pos], 'NaN')
    FROM (SELECT DISTINCT category, part FROM p) k
    JOIN figure f ON f.target_id = t AND f.category = k.category AND f.part = k.part AND f.day BETWEEN t_from AND t_to
    JOIN p ON p.id = f.layout_id
   ORDER BY 1 $$;
"""


def make_tables(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """lz4 is stated where the server has it: a fifth of pglz's time for a sixth more space."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT 'lz4' = ANY(enumvals) FROM pg_settings WHERE name = 'default_toast_compression'"
        )
        row = cursor.fetchone()
        compression = "COMPRESSION lz4" if row and row[0] else ""
        for table, moment, key, started in (
            ("snapshot", "bucket timestamptz", "bucket", "started_at timestamptz,"),
            ("figure", "day date", "day", ""),
        ):
            cursor.execute(
                _TABLE.format(table=table, moment=moment, key=key, started=started, compression=compression)
            )
        cursor.execute(_REST)


def drop_tables(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "DROP VIEW sample; DROP FUNCTION series_trend; DROP FUNCTION pick; DROP TABLE figure, snapshot"
        )


class Migration(migrations.Migration):
    dependencies = [("snapshots", "0001_initial")]
    operations = [migrations.RunPython(make_tables, drop_tables)]
