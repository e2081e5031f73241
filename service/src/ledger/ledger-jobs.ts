/** Background work of the ledger, and of the audit log, whose seals its heads name. */
import { createAuditJobs } from '../audit/index.ts';
import type { Database } from '../db/index.ts';
import type { Outgoing } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { createArchiver } from './archive/archive-periods.ts';
import { expireHolds } from './expire-holds.ts';
import { keepHouseBalances } from './house-balance-days.ts';
import { type RemovalSettings, removeMonths } from './removal/remove-months.ts';
import { createHeadShipper } from './ship-heads.ts';
import { signDailyHead } from './signed-heads.ts';

const HEADS_EVERY_MS = 600_000;
const EXPIRE_EVERY_MS = 5000;
/** A run ends after as long, and the next one continues. */
const REMOVE_EVERY_MS = 60_000;

/** Places outside of the database; undefined: nothing is written there. */
export interface LedgerPlaces {
  /** Where signed heads are copied to. */
  readonly SIGNED_HEADS_TO?: string | undefined;
  /** Where the ledger is archived to. */
  readonly LEDGER_ARCHIVE_TO?: string | undefined;
  /** Months after which bills of rewards are packed; undefined: never. */
  readonly LEDGER_KEPT_MONTHS?: number | undefined;
}

type NamedSince = RemovalSettings['namedSince'];

/** The jobs that write outside of the database, and remove what stands there. */
function createCopyJobs(
  database: Database,
  outgoing: Outgoing,
  places: LedgerPlaces,
  namedSince: NamedSince,
): Job[] {
  const { SIGNED_HEADS_TO: headsTo, LEDGER_ARCHIVE_TO: archiveTo } = places;
  const keptMonths = places.LEDGER_KEPT_MONTHS;
  const jobs: Job[] = [];
  if (headsTo !== undefined) {
    const ship = createHeadShipper(database, outgoing, headsTo);
    jobs.push({ name: 'ship-heads', every_ms: HEADS_EVERY_MS, run: ship });
  }
  if (archiveTo !== undefined) {
    const archive = createArchiver(database, archiveTo);
    jobs.push({ name: 'archive-ledger', every_ms: HEADS_EVERY_MS, isLong: true, run: archive });
  }
  if (archiveTo !== undefined && keptMonths !== undefined) {
    const remove = { database, place: archiveTo, keptMonths, namedSince };
    jobs.push({
      name: 'remove-archived-bills',
      every_ms: REMOVE_EVERY_MS,
      isLong: true,
      deletesByTime: true,
      run: (signal) => removeMonths({ ...remove, signal }),
    });
  }
  return jobs;
}

/** @param namedSince since when rewards find their bills by name */
export function createLedgerJobs(
  database: Database,
  outgoing: Outgoing,
  places: LedgerPlaces,
  namedSince: NamedSince,
): Job[] {
  return [
    ...createAuditJobs(database),
    { name: 'sign-daily-head', every_ms: HEADS_EVERY_MS, run: () => signDailyHead(database) },
    {
      name: 'keep-house-balances',
      every_ms: HEADS_EVERY_MS,
      run: () => keepHouseBalances(database),
    },
    { name: 'expire-holds', every_ms: EXPIRE_EVERY_MS, run: () => expireHolds(database) },
    ...createCopyJobs(database, outgoing, places, namedSince),
  ];
}
