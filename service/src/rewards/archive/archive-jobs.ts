/** Background work that archives settlements, and removes what is archived. */
import { fileURLToPath } from 'node:url';
import type { Database } from '../../db/index.ts';
import type { Job } from '../../jobs/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ProofKey } from '../proofs/proof-key.ts';
import { archiveSettlements } from './archive-settlements.ts';
import { removeArchived } from './remove-archived.ts';

const ARCHIVE_EVERY_MS = 600_000;

export interface RewardArchiveSettings {
  readonly REWARD_ARCHIVE_TO?: string | undefined;
  readonly REWARD_KEPT_DAYS?: number | undefined;
  readonly TRAFFIC_REPORT_WINDOW: number;
}

/** None without `REWARD_ARCHIVE_TO`. */
export function createRewardArchiveJobs(
  database: Database,
  clock: Clock,
  key: ProofKey,
  settings: RewardArchiveSettings,
): Job[] {
  const { REWARD_ARCHIVE_TO, REWARD_KEPT_DAYS: keptDays, TRAFFIC_REPORT_WINDOW } = settings;
  if (REWARD_ARCHIVE_TO === undefined) return [];
  const directory = fileURLToPath(REWARD_ARCHIVE_TO);
  const jobs: Job[] = [
    {
      name: 'archive-rewards',
      every_ms: ARCHIVE_EVERY_MS,
      isLong: true,
      run: (signal) => archiveSettlements({ db: database, clock, key, directory, signal }),
    },
  ];
  if (keptDays !== undefined)
    jobs.push({
      name: 'remove-archived-rewards',
      every_ms: ARCHIVE_EVERY_MS,
      isLong: true,
      deletesByTime: true,
      run: (signal) =>
        removeArchived({
          ...{ database, clock, directory, keptDays, signal },
          keys: [{ ...key.published }],
          window_s: TRAFFIC_REPORT_WINDOW,
        }),
    });
  return jobs;
}
