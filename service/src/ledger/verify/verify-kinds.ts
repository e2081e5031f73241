/** Kinds of wallets: their numbers stand in sealed ids, so a code that moved to another number would rename money. */
import type { Reference } from '../reference.ts';
import { FIRST_HOUSE_KIND } from '../wallet-ids.ts';
import type { Findings } from './findings.ts';

/** Those that every ledger begins with. */
const FIRST_KINDS: readonly (readonly [id: number, code: string])[] = [
  [1, 'asset'],
  [2, 'bonus'],
  [32, 'reward_pool'],
  [33, 'deposit_clearing'],
  [34, 'withdrawal_clearing'],
  [35, 'package_sales'],
  [36, 'conversion'],
  [37, 'adjustment'],
  [38, 'external_sales'],
  [39, 'fees'],
  [40, 'treasury'],
];

/** @param signed codes by id, as the oldest signed head that names them has them */
export function verifyKinds(reference: Reference, signed: ReadonlyMap<number, string>, findings: Findings): void {
  const known = new Map([...signed, ...FIRST_KINDS]);
  for (const [id, code] of known) {
    const kind = reference.kindsById.get(id);
    if (!kind) findings.add('kinds', `wallet_kind ${id}`, `is missing: it is ${code}`);
    else if (kind.code !== code) findings.add('kinds', `wallet_kind ${id}`, `was changed: it is ${code}`);
  }
  for (const { id, isHouse } of reference.kindsById.values()) {
    if (isHouse !== id >= FIRST_HOUSE_KIND) findings.add('kinds', `wallet_kind ${id}`, 'was changed: it is on the wrong side');
  }
}
