/** Brings what another system knows. Killed at any line and run again, the result is the same. */
import { rollUpImported } from '../community/index.ts';
import type { Database, Db } from '../db/index.ts';
import { createPasswordImport } from '../identity/index.ts';
import {
  ensureOpeningBalance,
  OPENING_BALANCE,
  type ReferenceData,
  referenceOf,
} from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../master-key.ts';
import { importBalances, importBills } from './apply-money.ts';
import { importPeople } from './apply-people.ts';
import type { ApplyContext } from './apply-rows.ts';
import { importAllAddresses, importAllDevices, importPurchases } from './apply-things.ts';
import { type Certificate, certify } from './certificate.ts';
import { sumBills } from './check-postings.ts';
import { checkStaged } from './check-staged.ts';
import { FileError } from './file-error.ts';
import { createRowReaders } from './row-readers.ts';
import { type FileName, IMPORTED_ID_END } from './schemas.ts';
import { createStage, dropStage, indexStage } from './stage.ts';
import type { FileCounts, SourceFile } from './stage-file.ts';
import {
  checkManifest,
  findFiles,
  type Manifest,
  readManifest,
  stageFiles,
} from './stage-files.ts';
import { countRejects, writeRejects } from './write-rejects.ts';

export interface ImportDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  /** Seconds until an account that the source closed is erased. */
  readonly closedAccountTtl_s: number;
  /** Called at the begin of each step. */
  report(step: string): void;
}

export interface ImportOptions {
  readonly folder: string;
  readonly rejectsPath: string;
  /** Checks and reports, and writes nothing. */
  readonly isDryRun: boolean;
  /** Applies changes, and skips rows that the source has not changed since. */
  readonly since?: Date | undefined;
  /** Applies changes also to profiles that were changed here. Default: their rows are rejected. */
  readonly overwrites?: boolean;
}

export interface ImportResult {
  readonly counts: readonly FileCounts[];
  readonly rejected: ReadonlyMap<string, number>;
  /** Absent after a dry run. */
  readonly certificate?: Certificate;
}

/** Ids that exports of this service may have: those of its first cell that registered here. */
const EXPORTED_ID_END = IMPORTED_ID_END + 2 ** 37;

async function makeReaders(deps: ImportDeps, manifest: Manifest | undefined) {
  const { database, masterKey, clock, rewardCurrency } = deps;
  const reference = await loadNames(database);
  if (reference.kinds.get(OPENING_BALANCE)?.isHouse === false)
    throw new FileError(`users have wallets of the kind ${OPENING_BALANCE}: imports need it`);
  return createRowReaders({
    passwords: createPasswordImport(masterKey, manifest?.pepper_id),
    reference,
    rewardCurrency,
    now: clock.now(),
    idEnd: manifest ? EXPORTED_ID_END : IMPORTED_ID_END,
  });
}

/** Names that are not known yet are read anew. */
function loadNames(db: Db): Promise<ReferenceData> {
  return referenceOf(db, { currencies: [''] });
}

const STEPS: Readonly<Record<FileName, (context: ApplyContext) => Promise<void>>> = {
  people: importPeople,
  balances: importBalances,
  bills: importBills,
  devices: importAllDevices,
  deposit_addresses: importAllAddresses,
  purchases: importPurchases,
};

async function applyAll(
  deps: ImportDeps & ApplyContext,
  files: readonly SourceFile[],
): Promise<void> {
  const { database } = deps;
  await ensureOpeningBalance(database);
  for (const { name } of files) {
    deps.report(name);
    await STEPS[name](deps);
  }
  const refused = await database.query(`select from import_reject where file = 'bills' limit 1`);
  if (refused.rowCount > 0) {
    // The balances counted on bills that the ledger refused.
    await sumBills(database);
    await importBalances(deps);
  }
  deps.report('referral tree');
  await rollUpImported(database);
}

async function run(deps: ImportDeps, options: ImportOptions): Promise<ImportResult> {
  const { database, clock } = deps;
  const { folder, since, overwrites = false } = options;
  const files = findFiles(folder);
  const manifest = readManifest(folder);
  const readers = await makeReaders(deps, manifest);
  deps.report('reading');
  const counts = await stageFiles({ database, readers, since }, files);
  if (manifest) checkManifest(manifest, counts);
  deps.report('checking');
  await indexStage(database);
  await checkStaged(database, { takesChanges: since !== undefined, overwrites });
  if (!options.isDryRun) await applyAll({ ...deps, overwrites }, files);
  const rejected = await countRejects(database);
  await writeRejects(database, files, options.rejectsPath);
  if (options.isDryRun) return { counts, rejected };
  deps.report('certificate');
  const certificate = await certify(database, { counts, rejected, since, now: clock.now() });
  return { counts, rejected, certificate };
}

/**
 * Imports a folder.
 * @throws FileError when a file cannot be read at all, or another import is running
 */
export async function runImport(deps: ImportDeps, options: ImportOptions): Promise<ImportResult> {
  const { database } = deps;
  const unlock = await database.tryLock('import');
  if (!unlock) throw new FileError('another import is running');
  try {
    await createStage(database);
    return await run(deps, options);
  } finally {
    await dropStage(database);
    await unlock();
  }
}

/**
 * Removes what a killed import left: its staging tables hold rows of users. Those of an import that
 * is running stay.
 */
export async function removeStaging(database: Database): Promise<void> {
  const unlock = await database.tryLock('import');
  if (!unlock) return;
  try {
    await dropStage(database);
  } finally {
    await unlock();
  }
}
