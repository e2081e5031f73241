/** `edge-account verify --reward-archive FILE …`: checks settlements without a database. */
import { type ArchivedSettlementReport, verifyArchivedSettlement } from '../rewards/index.ts';
import { CommandError } from './bootstrap.ts';
import { print } from './output.ts';
import { DISAGREES_EXIT, toText } from './verify-report.ts';

export interface RewardArchiveRequest {
  /** Published keys of reward proofs (JWK); absent: those in the files. */
  readonly keys?: readonly Readonly<Record<string, unknown>>[];
  readonly isJson: boolean;
}

async function verifyFile(
  path: string,
  { keys }: RewardArchiveRequest,
): Promise<ArchivedSettlementReport> {
  const report = await verifyArchivedSettlement(path, keys).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} cannot be read: ${reason}`);
  });
  if (!report) throw new CommandError(`${path} is no archive of a settlement`);
  if (report.problems.length > 0) process.exitCode = DISAGREES_EXIT;
  return report;
}

function describe({ file, settlement, kid, reports }: ArchivedSettlementReport): string {
  if (!settlement) return file;
  const { id, hour, lines } = settlement;
  const counts = `${lines} lines, ${reports} reports`;
  return `${file}: settlement ${id} of ${hour}, signed by ${kid}; ${counts}`;
}

async function* show(
  paths: readonly string[],
  request: RewardArchiveRequest,
): AsyncGenerator<string> {
  const all: ArchivedSettlementReport[] = [];
  for (const path of paths) {
    const report = await verifyFile(path, request);
    all.push(report);
    if (!request.isJson)
      yield toText({
        name: 'archive',
        report,
        found: report.problems.map((problem) => `${path} ${problem}`),
        counts: describe(report),
        words: ['as it was settled', 'NOT as it was settled'],
      });
  }
  if (request.isJson) yield `${JSON.stringify(all)}\n`;
}

/** Prints what is found in each file. @throws CommandError when a file cannot be read */
export async function verifyRewardArchives(
  paths: readonly string[],
  request: RewardArchiveRequest,
): Promise<void> {
  await print(show(paths, request));
  if (request.keys === undefined && !request.isJson)
    console.log('Compare the key with /.well-known/reward-keys.json, or give it by --reward-keys.');
}
