/**
 * `edge-account restore-check`: after a restore and before the first instance starts. What the lost
 * part of the database gave away is not given again, no sign-in of it stays, and what the ledger
 * lost is counted by its signed heads.
 */
import { type Database, RAISED_BY, raiseIds, transaction } from '../db/index.ts';
import { skipPositions } from '../events/index.ts';
import { renumberRevocations } from '../identity/index.ts';
import { installLedger, listLedgerKeys, measureGap, type SignedHead } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
import { dropKey, keyPolicyOf, maintainKeys } from '../oidc/index.ts';
import { pathOf, readArguments } from './arguments.ts';
import { CommandError, type CommandPlatform, openPlatform } from './bootstrap.ts';
import { readHeads } from './signed-files.ts';

export const usage = `edge-account restore-check [--heads FILE …]
  for a restored database, while no instance runs; connects by DATABASE_OWNER_URL
  ids continue 2^32 further on (of users 2^28), and every sign-in, token and grant ends
  FILE: signed heads that were kept outside of the database; one restored to before its first head
  has no key, so their signatures are not checked
  exit code 1 when the ledger lacks something that a head knows
  safe to run again`;

const LACKING_EXIT = 1;

/** @throws CommandError while an instance is connected: it remembers what is gone */
async function checkAlone(database: Database): Promise<void> {
  if (database.kind === 'embedded') return;
  const { rows } = await database.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where datname = current_database() and application_name = 'edge-account listen'
       and pid <> pg_backend_pid()`,
  );
  if ((rows[0]?.others ?? 0) > 0)
    throw new CommandError('an instance is connected to this database: stop all of them first');
}

async function beginAgain({ database, masterKey, config }: CommandPlatform): Promise<void> {
  const policy = keyPolicyOf(config);
  const sequences = await transaction(database, async (tx) => {
    await skipPositions(tx, RAISED_BY);
    await renumberRevocations(tx);
    return raiseIds(tx);
  });
  console.log(
    `ids continue 2^32 further on, of users 2^28 (${sequences} sequences, and the events)`,
  );
  await maintainKeys(database, systemClock, masterKey, policy);
  const kid = await dropKey(database, systemClock, masterKey, policy);
  console.log(`every sign-in, token and grant has ended; dropped the signing key ${kid}`);
}

/** @returns whether the ledger has everything that the heads know */
async function compare(database: Database, heads: readonly SignedHead[]): Promise<boolean> {
  let isWhole = true;
  const hasKeys = (await listLedgerKeys(database)).length > 0;
  if (heads.length > 0 && !hasKeys)
    console.log(
      'this database is from before its first signed head, and has no key to check signatures ' +
        'with: make sure that the files are yours',
    );
  for (const head of heads) {
    const { day, signedAt, isSigned, transfers, steps, refusals } = await measureGap(
      database,
      head,
    );
    if (hasKeys && !isSigned)
      throw new CommandError(
        `the head of ${day} is not signed by this ledger, or by a key that it has lost`,
      );
    if (transfers + steps + refusals > 0) isWhole = false;
    console.log(
      `the head signed at ${signedAt} knows ${transfers} transfers, ${steps} steps of holds and ` +
        `${refusals} refusals that are not here`,
    );
  }
  return isWhole;
}

export async function run(args: string[]): Promise<void> {
  const { words, all } = readArguments(args, { values: ['heads'] });
  if (words.length > 0) throw new CommandError(usage);
  // A file that cannot be read is found before anything is changed.
  const heads = all('heads').flatMap((path) => readHeads(pathOf(path)));
  const platform = await openPlatform({ mustExist: true, isOwner: true });
  const { database, masterKey } = platform;
  try {
    installLedger(database, { clock: systemClock, masterKey });
    await checkAlone(database);
    await beginAgain(platform);
    if (!(await compare(database, heads))) process.exitCode = LACKING_EXIT;
  } finally {
    await database.close();
  }
}
