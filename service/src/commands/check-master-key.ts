/**
 * A database belongs to one master key: what another key seals, signs or encrypts could not be read
 * again.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Db } from '../db/index.ts';
import type { MasterKey } from '../master-key.ts';

/**
 * True when the key is the one that the database was first opened with; the first to open it
 * decides.
 */
export async function isKeyOf(db: Db, masterKey: MasterKey): Promise<boolean> {
  const mac = masterKey.derive('master-key-check');
  const { rows } = await db.query<{ mac: Buffer }>(
    `insert into master_key_check (id, mac) values (1, $1) on conflict (id) do update
      set mac = master_key_check.mac returning mac`,
    [mac],
  );
  const known = rows[0]?.mac;
  return known !== undefined && known.length === mac.length && timingSafeEqual(known, mac);
}
