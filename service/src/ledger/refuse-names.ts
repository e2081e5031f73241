/** Names of postings that were refused before it could be told what they would move. */
import type { Transaction } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { plainArray, textArray } from './arrays.ts';
import { settingsOf } from './settings.ts';

/** In the place of what was asked: whatever asks under the name is refused. Hex. */
export const ANY_REQUEST = '0'.repeat(32);

export interface RefusedName {
  readonly idem: string;
  readonly code: FailureCode;
}

const REFUSE = `insert into refusal (idem, request_hash, code, created_at) select idem, decode($3, 'hex'), code, $4
  from unnest($1::text[], $2::text[]) as r (idem, code) where not exists (select from transfer t where t.idem = r.idem)
  on conflict (idem) do nothing`;

/** Notes what was refused for a name that is not known, or a time that has not come, so that it stays refused when either is. */
export async function refuseNames(tx: Transaction, names: readonly RefusedName[]): Promise<void> {
  if (names.length === 0) return;
  const [idems, codes] = [names.map(({ idem }) => idem), names.map(({ code }) => code)];
  await tx.query(REFUSE, [textArray(idems), plainArray(codes), ANY_REQUEST, settingsOf(tx).clock.now()]);
}
