/** What `edge-account verify` has read, as text. */
import type { LedgerReport } from '../ledger/index.ts';
import type { SettlementReport } from '../rewards/index.ts';

export function describeLedger({ since, transfers, seals, heads }: LedgerReport): string {
  const counts = `${transfers} transfers, ${seals} seals, ${heads} heads`;
  return since === null
    ? `${counts}, from the first posting on`
    : `${counts}, from the head signed at ${since} on (--from-genesis reads the rest)`;
}

export function describeRewards({
  settlements,
  lines,
  archived,
  unread,
}: SettlementReport): string {
  const counts = `${settlements} settlements, ${lines} lines`;
  if (archived === 0) return counts;
  return unread === 0
    ? `${counts}, ${archived} files of the archive`
    : `${counts}; the files of ${unread} archived ones were not read (REWARD_ARCHIVE_TO)`;
}
