/** `edge-account verify --archive FILE …`: checks files of the ledger without a database. */
import {
  type ArchiveReport,
  ArchiveUnreadable,
  createSealKey,
  type SignedHead,
  verifyArchives,
} from '../ledger/index.ts';
import { CommandError, loadOwnMasterKey } from './bootstrap.ts';
import { print } from './output.ts';
import { DISAGREES_EXIT, toText } from './verify-report.ts';

export interface ArchiveRequest {
  readonly heads: readonly SignedHead[];
  /** Published keys of the ledger (JWK); absent: those in the files. */
  readonly keys?: readonly Readonly<Record<string, unknown>>[];
  /** Recomputes the seals with the master key of this installation. */
  readonly hasMasterKey: boolean;
  readonly isJson: boolean;
}

function describe({ file, from, to, kid, continues, ...counts }: ArchiveReport): string {
  const { transfers, seals, accounts } = counts;
  const period = `from ${from ?? 'the first posting'} to ${to}`;
  const start = continues ? ', which continues the file before it' : '';
  return (
    `${file}: ${period}${start}, signed by ${kid}; ` +
    `${transfers} transfers, ${seals} seals, ${accounts} accounts`
  );
}

async function* show(reports: AsyncIterable<ArchiveReport>): AsyncGenerator<string> {
  for await (const archive of reports)
    yield toText({
      name: 'archive',
      report: archive,
      found: archive.findings.map(({ check, row, detail }) => `${check}: ${row} ${detail}`),
      counts: archive.kid === null ? archive.file : describe(archive),
      words: ['everything agrees', 'NOT in order'],
    });
}

async function* showJson(reports: AsyncIterable<ArchiveReport>): AsyncGenerator<string> {
  const all: ArchiveReport[] = [];
  for await (const archive of reports) all.push(archive);
  yield `${JSON.stringify(all)}\n`;
}

/** The reports as they are read; the exit code reports findings, too. */
async function* watch(reports: AsyncIterable<ArchiveReport>): AsyncGenerator<ArchiveReport> {
  for await (const archive of reports) {
    if (archive.findings.length > 0) process.exitCode = DISAGREES_EXIT;
    yield archive;
  }
}

/** Prints what is found in each file. @throws CommandError when a file cannot be read */
export async function verifyArchiveFiles(
  files: readonly string[],
  { hasMasterKey, isJson, ...checks }: ArchiveRequest,
): Promise<void> {
  const reports = watch(
    verifyArchives(files, {
      ...checks,
      ...(hasMasterKey && {
        sealKey: createSealKey(
          loadOwnMasterKey('there is no master key here: set MASTER_KEY, or DATA_DIR'),
        ),
      }),
    }),
  );
  try {
    await print(isJson ? showJson(reports) : show(reports));
  } catch (error) {
    throw error instanceof ArchiveUnreadable ? new CommandError(error.message) : error;
  }
  if (checks.keys === undefined && !isJson)
    console.log('Compare the key with /.well-known/ledger-keys.json, or give it by --ledger-keys.');
}
