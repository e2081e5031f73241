import { type Database, transaction } from '../db/index.ts';
import { closeHold } from './cancel-hold.ts';
import { findExpired } from './holds.ts';
import { settingsOf } from './settings.ts';

const BATCH = 100;

/** Job: releases what is held past its time. Each hold in a transaction of its own; safe to kill and to run again. */
export async function expireHolds(database: Database): Promise<number> {
  const expired = await findExpired(database, settingsOf(database).clock.now(), BATCH);
  for (const id of expired) await transaction(database, (tx) => closeHold(tx, 'expire', id, `expire:${id}`));
  return expired.length;
}
