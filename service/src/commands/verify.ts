/** `edge-account verify`: replays the whole ledger, recomputes settled rewards and the whole tree. Ends with 1 when anything does not agree. */
import { readFileSync } from 'node:fs';
import { verifyCommunity } from '../community/index.ts';
import { installLedger, type SignedHead, verifyLedger } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
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

export async function run(args: string[]): Promise<void> {
  const { words, all, has } = readArguments(args, { values: ['heads'], flags: ['json'] });
  if (words.length > 0) throw new CommandError(usage);
  const exported = all('heads').map(pathOf).flatMap(readHeads);
  const { database, masterKey } = await openPlatform({ mustExist: true });
  try {
    installLedger(database, { clock: systemClock, masterKey });
    const report = await verifyLedger(database, exported);
    const rewards = await verifySettlements(database);
    const community = await verifyCommunity(database);
    if (has('json')) console.log(JSON.stringify({ ...report, rewards, community }));
    else {
      for (const { check, row, detail } of report.findings) console.log(`${check}: ${row} ${detail}`);
      console.log(
        `${report.transfers} transfers, ${report.seals} seals, ${report.heads} heads: ${report.findings.length === 0 ? 'everything agrees' : 'NOT in order'}`,
      );
      for (const problem of rewards.problems) console.log(`rewards: ${problem}`);
      console.log(
        `${rewards.settlements} settlements, ${rewards.lines} lines: ${rewards.problems.length === 0 ? 'as they were settled' : 'NOT as they were settled'}`,
      );
      for (const problem of community.problems) console.log(`community: ${problem}`);
      console.log(`${community.members} members, ${community.lists} lists: ${community.problems.length === 0 ? 'as recomputed' : 'NOT as recomputed'}`);
    }
    if (report.findings.length + rewards.problems.length + community.problems.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}
