/**
 * A database belongs to one master key: what another key seals, signs or encrypts could not be read
 * again.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Db } from '../db/index.ts';
import type { MasterKey } from '../master-key.ts';

/** The first key that opens a database decides. */
const CLAIM_DATABASE = `insert into master_key_check (id, mac) values (1, $1)
  on conflict (id) do update set mac = master_key_check.mac returning mac`;
const READ_CHECK = 'select mac from master_key_check where id = 1';

/**
 * True when the key is the one that the database was first opened with.
 * @param isReadOnly writes nothing; true, too, for a database that no key has opened
 */
export async function isKeyOf(
  db: Db,
  masterKey: MasterKey,
  { isReadOnly }: { isReadOnly: boolean },
): Promise<boolean> {
  const mac = masterKey.derive('master-key-check');
  const { rows } = isReadOnly
    ? await db.query<{ mac: Buffer }>(READ_CHECK)
    : await db.query<{ mac: Buffer }>(CLAIM_DATABASE, [mac]);
  const known = rows[0]?.mac ?? (isReadOnly ? mac : undefined);
  return known !== undefined && known.length === mac.length && timingSafeEqual(known, mac);
}
