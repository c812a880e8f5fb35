"""Keep vectors, targets and layouts together without a check per row, which cost a third of a COPY."""

from django.db import migrations

_FORWARD = """
ALTER TABLE snapshot DROP CONSTRAINT snapshot_target_id_fkey, DROP CONSTRAINT snapshot_layout_id_fkey;
ALTER TABLE figure DROP CONSTRAINT figure_target_id_fkey, DROP CONSTRAINT figure_layout_id_fkey;

CREATE FUNCTION hold_target(t bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM inventory_target WHERE id = t FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE foreign_key_violation USING MESSAGE = format('there is no target %s', t);
    END IF;
    RETURN t;
END $$;

CREATE FUNCTION forget_target() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM snapshot WHERE target_id = OLD.id;
    DELETE FROM figure WHERE target_id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER forget_target AFTER DELETE ON inventory_target FOR EACH ROW EXECUTE FUNCTION forget_target();
CREATE FUNCTION forget_targets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE snapshot, figure;
    RETURN NULL;
END $$;
CREATE TRIGGER forget_targets AFTER TRUNCATE ON inventory_target FOR EACH STATEMENT
EXECUTE FUNCTION forget_targets();

CREATE FUNCTION keep_layout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE restrict_violation USING MESSAGE = 'a layout never changes: vectors are read by it';
END $$;
CREATE TRIGGER keep_layout BEFORE UPDATE OR DELETE ON layout FOR EACH ROW EXECUTE FUNCTION keep_layout();
"""

_BACK = """
DROP TRIGGER keep_layout ON layout;
DROP FUNCTION keep_layout;
DROP TRIGGER forget_targets ON inventory_target;
DROP FUNCTION forget_targets;
DROP TRIGGER forget_target ON inventory_target;
DROP FUNCTION forget_target;
DROP FUNCTION hold_target;
ALTER TABLE snapshot ADD FOREIGN KEY (target_id) REFERENCES inventory_target ON DELETE CASCADE,
                     ADD FOREIGN KEY (layout_id) REFERENCES layout;
ALTER TABLE figure ADD FOREIGN KEY (target_id) REFERENCES inventory_target ON DELETE CASCADE,
                   ADD FOREIGN KEY (layout_id) REFERENCES layout;
"""


class Migration(migrations.Migration):
    dependencies = [("snapshots", "0002_vectors")]
    operations = [migrations.RunSQL(_FORWARD, _BACK)]
