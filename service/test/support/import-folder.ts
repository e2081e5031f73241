/** A folder of files to import, and the import of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/db/index.ts';
import { type ImportResult, runImport } from '../../src/import-export/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { MasterKey } from '../../src/master-key.ts';
import { testMasterKey } from './test-config.ts';

/** Until accounts that the source closed are erased. */
export const CLOSED_ACCOUNT_TTL_S = 86_400;

export interface RejectLine {
  readonly file: string;
  readonly line: number;
  readonly problems: readonly { readonly field: string; readonly code: string }[];
  readonly row?: Readonly<Record<string, string>>;
}

export interface ImportFolder {
  readonly path: string;
  write(file: string, text: string | Buffer): void;
  run(
    database: Database,
    options?: { isDryRun?: boolean; since?: Date; overwrites?: boolean; masterKey?: MasterKey },
  ): Promise<ImportResult>;
  rejects(): RejectLine[];
  /** `file line field code` of each problem. */
  problems(): string[];
  remove(): void;
}

/** @param path default: a new folder */
export function createImportFolder(path = mkdtempSync(join(tmpdir(), 'import-'))): ImportFolder {
  const rejectsPath = join(path, 'rejects.jsonl');
  const rejects = (): RejectLine[] =>
    readFileSync(rejectsPath, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as RejectLine);
  return {
    path,
    write: (file, text) => writeFileSync(join(path, file), text),
    run: (database, { isDryRun = false, since, overwrites, masterKey = testMasterKey } = {}) =>
      runImport(
        {
          database,
          masterKey,
          clock: systemClock,
          rewardCurrency: 'EDGE',
          closedAccountTtl_s: CLOSED_ACCOUNT_TTL_S,
          report: () => {},
        },
        { folder: path, rejectsPath, isDryRun, since, ...(overwrites && { overwrites }) },
      ),
    rejects,
    problems: () =>
      rejects().flatMap(({ file, line, problems }) =>
        problems.map(({ field, code }) => `${file} ${line} ${field} ${code}`),
      ),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
