/** The community's door. */
import type { Database } from '../db/index.ts';
import type { Job } from '../jobs/index.ts';
import { hasWork, rollUp } from './roll-up.ts';

export { countJoinsByDay, countMembers, countTeam, type TeamCounts } from './count-joins.ts';
export { findPurchaseOf } from './find-purchase-of.ts';
export { addImportedMembers, rollUpImported } from './import-members.ts';
export { joinCommunity } from './join-community.ts';
export { listPurchases } from './list-purchases.ts';
export { listReferrals } from './list-referrals.ts';
export { countCommunityQueue, registerCommunityMetrics } from './queue-metrics.ts';
export { rebuildCommunity } from './rebuild-community.ts';
export {
  findPurchase,
  findPurchasesPaid,
  findRefundPaid,
  lockPurchase,
  type NewPurchase,
  type Purchase,
  recordPurchases,
  recordRefund,
} from './record-purchase.ts';
export { registerCommunity } from './routes.ts';
export { verifyCommunity } from './verify-community.ts';
export { rollUp };

const ROLL_UP_EVERY_MS = 150;
/** The embedded database rolls up at once; only renames wait for this. */
const ROLL_UP_EMBEDDED_EVERY_MS = 1000;

/**
 * One run of the job; a longer backlog continues in the next, so that the job's lock is never held
 * long.
 */
const ROLL_UP_LIMIT_MS = 10_000;

/** Brings figures and lists up to date. */
export function createRollUpJob(database: Database): Job {
  return {
    name: 'community-roll-up',
    every_ms: database.kind === 'embedded' ? ROLL_UP_EMBEDDED_EVERY_MS : ROLL_UP_EVERY_MS,
    hasWork: () => hasWork(database),
    run: () => rollUp(database, ROLL_UP_LIMIT_MS),
  };
}
