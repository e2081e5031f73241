/** Background work of the ledger, and of the audit log, whose seals its heads name. */
import { createAuditJobs } from '../audit/index.ts';
import type { Database } from '../db/index.ts';
import type { Outgoing } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { expireHolds } from './expire-holds.ts';
import { keepHouseBalances } from './house-balance-days.ts';
import { createHeadShipper } from './ship-heads.ts';
import { signDailyHead } from './signed-heads.ts';

const HEADS_EVERY_MS = 600_000;
const EXPIRE_EVERY_MS = 5000;

/** @param place where signed heads are copied to (`SIGNED_HEADS_TO`); undefined: nowhere */
export function createLedgerJobs(
  database: Database,
  outgoing: Outgoing,
  place: string | undefined,
): Job[] {
  const jobs: Job[] = [
    ...createAuditJobs(database),
    { name: 'sign-daily-head', every_ms: HEADS_EVERY_MS, run: () => signDailyHead(database) },
    {
      name: 'keep-house-balances',
      every_ms: HEADS_EVERY_MS,
      run: () => keepHouseBalances(database),
    },
    { name: 'expire-holds', every_ms: EXPIRE_EVERY_MS, run: () => expireHolds(database) },
  ];
  if (place === undefined) return jobs;
  const ship = createHeadShipper(database, outgoing, place);
  return [...jobs, { name: 'ship-heads', every_ms: HEADS_EVERY_MS, run: ship }];
}
