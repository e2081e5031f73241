/** Reads a file, checks each row by itself, and stages what is correct. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Database, type Db, queryNamed, textArray } from '../db/index.ts';
import { checkImportedAddress, listNetworks, type Network } from '../deposits/index.ts';
import { Failure } from '../lib/failures.ts';
import { parseRow, type Reject, type StagedRow } from './parse-row.ts';
import { type RawRow, readRows } from './read-rows.ts';
import type { RowReaders } from './row-values.ts';
import { type FileName, ROW_SCHEMAS } from './schemas.ts';
import { insertRejects, insertStaged } from './stage.ts';

export interface SourceFile {
  readonly name: FileName;
  readonly path: string;
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

export interface FileCounts {
  readonly name: FileName;
  readonly rows: number;
  /** Older than `--since`, and imported before. */
  readonly skipped: number;
  readonly sha256: string;
}

export interface StageContext {
  readonly database: Database;
  readonly readers: RowReaders;
  readonly since?: Date | undefined;
}

const PIECE_ROWS = 1000;

function isOlder(row: RawRow | undefined, since: Date | undefined): boolean {
  return (
    since !== undefined &&
    row?.updated_at !== undefined &&
    Date.parse(row.updated_at) < since.getTime()
  );
}

type AddressData = { network: string; address: string; xpub: string | null } & {
  derivation_index: number | null;
};

async function completeAddress(
  networks: ReadonlyMap<string, Network>,
  row: StagedRow,
): Promise<StagedRow | Reject[]> {
  const data = row.data as AddressData;
  const reject = (field: string, code: string, message: string): Reject[] => [
    { file: row.file, line: row.line, field, code, message },
  ];
  const network = networks.get(data.network);
  if (!network) return reject('network', 'unknown_network', 'is unknown: add it first');
  try {
    const xpub = await checkImportedAddress(network, {
      ...data,
      derivationIndex: data.derivation_index,
    });
    const { family } = network;
    return { ...row, text: JSON.stringify({ ...data, family, xpub }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return (error.details.fields ?? []).flatMap((each) =>
      reject(each.field, each.code, each.message),
    );
  }
}

const KNOWN = `select key from imported_row
  where file = :file and key = any(:keys::text[])`;

/** Rows of a file on their way into the staging tables, piece by piece. */
class FileStager {
  skipped = 0;
  readonly #db: Db;
  readonly #file: FileName;
  readonly #networks: ReadonlyMap<string, Network>;
  #rows: StagedRow[] = [];
  #older: StagedRow[] = [];
  #rejects: Reject[] = [];
  #written: Promise<void> = Promise.resolve();

  constructor(db: Db, file: FileName, networks: readonly Network[]) {
    this.#db = db;
    this.#file = file;
    this.#networks = new Map(networks.map((network) => [network.code, network]));
  }

  async add(parsed: StagedRow | Reject[], isOld: boolean): Promise<void> {
    if (Array.isArray(parsed)) this.#rejects.push(...parsed);
    else if (isOld) this.#older.push(this.#withKey(parsed));
    else this.#rows.push(this.#withKey(parsed));
    const count = this.#rows.length + this.#older.length + this.#rejects.length;
    if (count >= PIECE_ROWS) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.#written;
  }

  /** An address serves the family of its network. */
  #withKey(row: StagedRow): StagedRow {
    if (this.#file !== 'deposit_addresses') return row;
    const { network, address } = row.data as AddressData;
    const family = this.#networks.get(network)?.family ?? network;
    return { ...row, key: `${family}/${address.toLowerCase()}` };
  }

  /** Writes what was read while the next rows are read. */
  async #flush(): Promise<void> {
    const [rows, older, rejects] = [this.#rows, this.#older, this.#rejects];
    [this.#rows, this.#older, this.#rejects] = [[], [], []];
    await this.#written;
    this.#written = this.#write(rows, older, rejects);
    // Awaited later; an error must not end the process before.
    this.#written.catch(() => {});
  }

  async #write(
    rows: readonly StagedRow[],
    older: readonly StagedRow[],
    rejects: readonly Reject[],
  ): Promise<void> {
    const staged: StagedRow[] = [];
    const problems = [...rejects];
    for (const row of [...rows, ...(await this.#dropImported(older))]) {
      const done =
        this.#file === 'deposit_addresses' ? await completeAddress(this.#networks, row) : row;
      if (Array.isArray(done)) problems.push(...done);
      else staged.push(done);
    }
    await insertStaged(this.#db, this.#file, staged);
    await insertRejects(this.#db, problems);
  }

  /** A row that was rejected before comes in now, although the source did not change it since. */
  async #dropImported(rows: readonly StagedRow[]): Promise<StagedRow[]> {
    if (rows.length === 0) return [];
    const keys = textArray(rows.map(({ key }) => key));
    const found = await queryNamed<{ key: string }>(this.#db, KNOWN, { file: this.#file, keys });
    const known = new Set(found.rows.map(({ key }) => key));
    const fresh = rows.filter(({ key }) => !known.has(key));
    this.skipped += rows.length - fresh.length;
    return fresh;
  }
}

/** Stages a file; the staging tables exist. */
export async function stageFile(
  { database, readers, since }: StageContext,
  { name, path }: SourceFile,
): Promise<FileCounts> {
  const stager = new FileStager(database, name, await listNetworks(database));
  let rows = 0;
  for await (const read of readRows(path, Object.keys(ROW_SCHEMAS[name].properties))) {
    rows++;
    await stager.add(parseRow(readers, name, read), isOlder(read.row, since));
  }
  await stager.end();
  return { name, rows, skipped: stager.skipped, sha256: await hashFile(path) };
}
