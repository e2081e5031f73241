/** What `edge-account verify` has read, as text. */
import type { LedgerReport } from '../ledger/index.ts';
import type { SettlementReport } from '../rewards/index.ts';

export function describeLedger({ transfers, seals, heads, ...covered }: LedgerReport): string {
  const counts = `${transfers} transfers, ${seals} seals, ${heads} heads`;
  const { continued_from: from, since, verified_until: until } = covered;
  if (from === null) return `${counts}, from the first posting until ${until}`;
  const start = from === 'head' ? 'the head signed at' : 'the verification of';
  return `${counts}, from ${start} ${since} until ${until} (--from-genesis reads the rest)`;
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
