/**
 * `edge-account verify`: replays the ledger from the last recorded verification on, recomputes what
 * was settled since, and compares purchases and conversions with their transfers. `--from-head`
 * continues from the last signed head; `--from-genesis` replays the whole ledger, and recomputes
 * every settlement and the referral tree. It only reads, so it runs on a replica, too, unless its
 * result is recorded (`--record`). Exit code 1: something does not agree; 2: a check could not run.
 */
import { fileURLToPath } from 'node:url';
import { type Verification, verifyAudit } from '../audit/index.ts';
import { verifyCommunity } from '../community/index.ts';
import type { Database } from '../db/index.ts';
import { verifyImports } from '../import-export/index.ts';
import { installLedger, type LedgerReport } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
import { verifyConversions, verifySales } from '../operator/index.ts';
import {
  type HotWallet,
  installDecisions,
  readHotWallets,
  verifyDecisions,
  verifyWallets,
} from '../payouts/index.ts';
import { type ArchivePlace, createProofKey, verifySettlements } from '../rewards/index.ts';
import { pathOf, readArguments } from './arguments.ts';
import { CommandError, type CommandPlatform, openPlatform } from './bootstrap.ts';
import { describeLedger, describeRewards } from './describe-verified.ts';
import { type Start, settledSince, verifyLedgerFrom } from './ledger-start.ts';
import { print } from './output.ts';
import { describeVerification, keepParts, recordVerification } from './record-verification.ts';
import { type Kept, readCertificates, readHeads, readKeySet } from './signed-files.ts';
import { verifyArchiveFiles } from './verify-archives.ts';
import { type Part, report } from './verify-report.ts';
import { verifyRewardArchives } from './verify-reward-archives.ts';

export const usage = `edge-account verify [--from-genesis | --from-head] [--heads FILE …]
    [--certificate FILE …] [--chains] [--record] [--json]
edge-account verify --archive FILE … [--ledger-keys FILE] [--heads FILE …] [--with-master-key]
    [--json]
edge-account verify --reward-archive FILE [--reward-archive FILE …] [--reward-keys FILE] [--json]
  it continues from the last verification that was recorded and found nothing; without one, it
    reads everything; --from-head: from the last signed head; --from-genesis: from the first posting
  FILE: signed heads, or certificates of imports, that were kept outside of the database
  --chains: compares the hot wallets of PAYOUT_WALLETS with their chains, too
  --record: writes the result into the audit log, which operators see on their home, and the next
    verification continues from, unless this one began at a head
  --archive: checks files of edge-account ledger archive, oldest first, with no network and no
    database; --ledger-keys: the answer of GET /.well-known/ledger-keys.json (without it, the keys
    in the files); --with-master-key: recomputes the seals, too, with the key of this installation
  --reward-archive: checks files of REWARD_ARCHIVE_TO in the same way; --reward-keys: the answer of
    GET /.well-known/reward-keys.json
  exit code 1 when something does not agree, 2 when that could not be found out`;

const named = (part: string, problems: readonly string[]): string[] =>
  problems.map((problem) => `${part}: ${problem}`);

const UNKNOWN_EXIT = 2;
async function verifyTree(database: Database): Promise<Part> {
  const community = await verifyCommunity(database);
  return {
    name: 'community',
    report: community,
    found: named('community', community.problems),
    counts: `${community.members} members, ${community.lists} lists`,
    words: ['as recomputed', 'NOT as recomputed'],
  };
}

async function verifyAuditLog(database: Database, { auditSince }: LedgerReport): Promise<Part> {
  const { end, ...audit } = await verifyAudit(database, auditSince);
  const { entries, seals, unsealed, problems } = audit;
  return {
    name: 'audit',
    report: audit,
    ...(end && { auditEnd: end }),
    found: named('audit', problems),
    counts: `${entries} audit entries, ${seals} seals, ${unsealed} not sealed yet`,
    words: ['as they were sealed', 'NOT as they were sealed'],
  };
}

/**
 * The parts one after the other: what was found in one is printed even if the next one fails.
 */
async function* verifyParts(database: Database, request: Request): AsyncGenerator<Part> {
  const { heads, certificates } = request.kept;
  const ledger = await verifyLedgerFrom(request.start, database, heads);
  const { place, from, ...shown } = ledger;
  yield {
    name: 'ledger',
    report: shown,
    seen: ledger,
    found: ledger.findings.map(({ check, row, detail }) => `${check}: ${row} ${detail}`),
    counts: describeLedger(ledger),
    words: ['everything agrees', 'NOT in order'],
  };
  const since = settledSince(ledger);
  const rewards = await verifySettlements(database, since, request.archive);
  yield {
    name: 'rewards',
    report: rewards,
    found: named('rewards', rewards.problems),
    counts: describeRewards(rewards),
    words: ['as they were settled', 'NOT as they were settled'],
  };
  const sales = await verifySales(database);
  yield {
    name: 'sales',
    report: sales,
    found: named('packages', sales.problems),
    counts: `${sales.purchases} purchases, ${sales.refunds} refunds`,
    words: ['as they were paid', 'NOT as they were paid'],
  };
  const conversions = await verifyConversions(database);
  yield {
    name: 'conversions',
    report: conversions,
    found: named('conversions', conversions.problems),
    counts: `${conversions.conversions} conversions`,
    words: ['as they were posted', 'NOT as they were posted'],
  };
  const payouts = await verifyDecisions(database);
  yield {
    name: 'payouts',
    report: payouts,
    found: named('payouts', payouts.problems),
    counts: `${payouts.decisions} payout decisions`,
    words: ['as they were sealed', 'NOT as they were sealed'],
  };
  yield await verifyAuditLog(database, ledger);
  if (since !== null && certificates.length === 0) return;
  if (since === null) yield await verifyTree(database);
  const imports = await verifyImports(database, certificates);
  yield {
    name: 'imports',
    report: imports,
    found: named('imports', imports.problems),
    counts: `${imports.rows} imported rows, ${imports.certificates} certificates`,
    words: ['as they were imported', 'NOT as they were imported'],
  };
}

/** @throws CommandError for a setting that names no wallets */
async function readWallets({ config, database }: CommandPlatform): Promise<HotWallet[]> {
  if (config.PAYOUT_WALLETS === '') throw new CommandError('set PAYOUT_WALLETS for --chains');
  try {
    return await readHotWallets(database, config.PAYOUT_WALLETS);
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** The hot wallets on their chains. @throws Error without an answer of a chain */
async function* verifyChains(
  { database, masterKey }: CommandPlatform,
  hotWallets: readonly HotWallet[],
): AsyncGenerator<Part> {
  const wallets = await verifyWallets(database, masterKey, hotWallets);
  yield {
    name: 'wallets',
    report: wallets,
    found: named('wallets', wallets.problems),
    counts: `${wallets.wallets} hot wallets, ${wallets.currencies} currencies`,
    words: ['as the ledger says', 'NOT as the ledger says'],
  };
}

function readArchive({ config, masterKey }: CommandPlatform): ArchivePlace | undefined {
  if (config.REWARD_ARCHIVE_TO === undefined) return undefined;
  const keys = [{ ...createProofKey(masterKey).published }];
  return { directory: fileURLToPath(config.REWARD_ARCHIVE_TO), keys };
}

interface Request {
  readonly kept: Kept;
  /** Archive of rewards whose files are compared; absent: there is none. */
  readonly archive?: ArchivePlace;
  readonly start: Start;
  /** Absent: the chains are not asked. */
  readonly wallets: readonly HotWallet[] | undefined;
}

/** Nothing of a primary; of a standby, up to when it has what the primary committed. */
async function* describeStandby(database: Database): AsyncGenerator<Part> {
  if (database.kind === 'embedded') return;
  const { rows } = await database.query<{ is_standby: boolean; until: Date | null }>(
    'select pg_is_in_recovery() as is_standby, pg_last_xact_replay_timestamp() as until',
  );
  if (!rows[0]?.is_standby) return;
  const replayed_until = rows[0].until?.toISOString() ?? null;
  yield {
    name: 'standby',
    report: { replayed_until },
    found: [],
    counts: 'a standby, which has replayed',
    words: [`what was committed until ${replayed_until ?? 'it was started'}`, ''],
  };
}

async function* verifyAll(platform: CommandPlatform, request: Request): AsyncGenerator<Part> {
  yield* describeStandby(platform.database);
  yield* verifyParts(platform.database, request);
  if (request.wallets) yield* verifyChains(platform, request.wallets);
}

async function verify(args: string[]): Promise<void> {
  const { words, all, one, has } = readArguments(args, {
    values: ['heads', 'certificate', 'archive', 'ledger-keys', 'reward-archive', 'reward-keys'],
    flags: ['json', 'chains', 'from-genesis', 'from-head', 'record', 'with-master-key'],
  });
  if (words.length > 0 || (has('from-genesis') && has('from-head'))) throw new CommandError(usage);
  const settlements = all('reward-archive').map(pathOf);
  if (settlements.length > 0) {
    const keys = one('reward-keys');
    return verifyRewardArchives(settlements, {
      ...(keys !== undefined && { keys: readKeySet(pathOf(keys)) }),
      isJson: has('json'),
    });
  }
  const archives = all('archive').map(pathOf);
  if (archives.length > 0) {
    const keys = one('ledger-keys');
    return verifyArchiveFiles(archives, {
      heads: all('heads').map(pathOf).flatMap(readHeads),
      ...(keys !== undefined && { keys: readKeySet(pathOf(keys)) }),
      hasMasterKey: has('with-master-key'),
      isJson: has('json'),
    });
  }
  const kept = {
    heads: all('heads').map(pathOf).flatMap(readHeads),
    certificates: all('certificate').map(pathOf).flatMap(readCertificates),
  };
  const done: Part[] = [];
  let verification: Verification | undefined;
  const platform = await openPlatform({ mustExist: true, isReadOnly: true });
  const { database, masterKey } = platform;
  try {
    installLedger(database, { clock: systemClock, masterKey });
    installDecisions(database, masterKey);
    const wallets = has('chains') ? await readWallets(platform) : undefined;
    const archive = readArchive(platform);
    const start = has('from-genesis') ? 'genesis' : has('from-head') ? 'head' : 'verification';
    const parts = verifyAll(platform, {
      kept,
      wallets,
      start,
      ...(archive && { archive }),
    });
    await print(report(keepParts(parts, done), has('json')));
    if (has('record')) verification = describeVerification(database, done);
  } finally {
    await database.close();
  }
  // Apart from the connection that only reads.
  if (verification) await recordVerification(verification);
}

export async function run(args: string[]): Promise<void> {
  try {
    await verify(args);
  } catch (error) {
    process.exitCode ??= UNKNOWN_EXIT;
    throw error;
  }
}
