/** `edge-account verify`: replays the whole ledger, recomputes settled rewards and the whole tree, and compares purchases with their payments. Ends with 1 when anything does not agree. */
import { readFileSync } from 'node:fs';
import { verifyCommunity } from '../community/index.ts';
import { installLedger, type SignedHead, verifyLedger } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
import { verifySales } from '../operator/index.ts';
import { verifySettlements } from '../rewards/index.ts';
import { pathOf, readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './open-platform.ts';

function isHead(value: unknown): value is SignedHead {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['day', 'body', 'signature', 'kid'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
  );
}

/** A file with one head, or an array of them, as the API and `edge-account ledger head` give them. */
function readHeads(path: string): SignedHead[] {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const heads = Array.isArray(content) ? content : [content];
    if (heads.every(isHead)) return heads;
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new CommandError(`${path} holds something else than signed heads`);
}

export const usage = 'edge-account verify [--heads FILE …] [--json]\n  FILE: signed heads that were kept outside of the database';

const named = (part: string, problems: readonly string[]): string[] => problems.map((problem) => `${part}: ${problem}`);

/** What was found, then what was looked at and how it stands. */
function tell(found: readonly string[], counts: string, [good, bad]: readonly [good: string, bad: string]): void {
  for (const line of found) console.log(line);
  console.log(`${counts}: ${found.length === 0 ? good : bad}`);
}

export async function run(args: string[]): Promise<void> {
  const { words, all, has } = readArguments(args, { values: ['heads'], flags: ['json'] });
  if (words.length > 0) throw new CommandError(usage);
  const exported = all('heads').map(pathOf).flatMap(readHeads);
  const { database, masterKey } = await openPlatform({ mustExist: true });
  try {
    installLedger(database, { clock: systemClock, masterKey });
    const report = await verifyLedger(database, exported);
    const rewards = await verifySettlements(database);
    const sales = await verifySales(database);
    const community = await verifyCommunity(database);
    if (has('json')) console.log(JSON.stringify({ ...report, rewards, sales, community }));
    else {
      const found = report.findings.map(({ check, row, detail }) => `${check}: ${row} ${detail}`);
      tell(found, `${report.transfers} transfers, ${report.seals} seals, ${report.heads} heads`, ['everything agrees', 'NOT in order']);
      const settled = `${rewards.settlements} settlements, ${rewards.lines} lines`;
      tell(named('rewards', rewards.problems), settled, ['as they were settled', 'NOT as they were settled']);
      tell(named('packages', sales.problems), `${sales.purchases} purchases, ${sales.refunds} refunds`, ['as they were paid', 'NOT as they were paid']);
      tell(named('community', community.problems), `${community.members} members, ${community.lists} lists`, ['as recomputed', 'NOT as recomputed']);
    }
    if (report.findings.length + rewards.problems.length + sales.problems.length + community.problems.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}
