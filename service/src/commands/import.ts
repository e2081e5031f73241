/**
 * `edge-account import`: brings users, balances, devices, addresses and purchases of another
 * system.
 * Exit code 1: rows were rejected, or the totals do not agree; 2: it did not run to its end.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runUnaudited } from '../db/index.ts';
import { type ImportResult, runImport } from '../import-export/index.ts';
import { installLedger } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
import { pathOf, readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';

export const usage = `edge-account import DIR [--dry-run] [--since TIME] [--overwrite]
    [--rejects FILE] [--certificate FILE]
  DIR: people, balances, bills, devices, deposit_addresses, purchases, each as .csv or .jsonl
  --dry-run: reports every problem, and writes nothing but the rejects
  --since: applies changed rows; skips imported ones whose updated_at is older
  --overwrite: with --since, also where a profile was changed in this service
  --rejects, --certificate: default DIR/rejects.jsonl, DIR/certificate.json
  exit code 1 when rows were rejected, or totals do not agree; 2 when it could not run`;

const REJECTED_EXIT = 1;
const FAILED_EXIT = 2;

function readSince(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const since = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(since.getTime()))
    throw new CommandError('--since must be an instant, as 2026-02-28T12:00:00Z');
  return since;
}

function printResult({ counts, rejected, certificate }: ImportResult, rejectsPath: string): void {
  for (const { name, rows, skipped } of counts) {
    const bad = rejected.get(name) ?? 0;
    const here = certificate?.content.files.find(({ file }) => file === name)?.here;
    const parts = [`${rows} rows`, `${skipped} older`, `${bad} rejected`];
    console.log(
      `${name}: ${[...parts, ...(here === undefined ? [] : [`${here} here`])].join(', ')}`,
    );
  }
  if (rejected.size > 0) console.log(`rejected rows: ${rejectsPath}`);
  if (!certificate) return;
  const { totals, passwords, agrees } = certificate.content;
  for (const { file, wallet, currency, source, here, rejected: left } of totals) {
    const name = [file, wallet, currency].filter(Boolean).join(' ');
    console.log(`${name}: ${source}, here ${here}${left === '0' ? '' : `, rejected ${left}`}`);
  }
  console.log(
    `passwords: ${passwords.md5} MD5, ${passwords.hash} hashes, ${passwords.reset} by a reset`,
  );
  console.log(agrees ? 'the totals agree' : 'the totals do NOT agree');
}

async function importFolder(args: string[]): Promise<void> {
  const { words, one, has } = readArguments(args, {
    values: ['since', 'rejects', 'certificate'],
    flags: ['dry-run', 'overwrite'],
  });
  const [dir] = words;
  if (dir === undefined || words.length > 1) throw new CommandError(usage);
  const since = readSince(one('since'));
  if (has('overwrite') && !since) throw new CommandError('--overwrite needs --since');
  const folder = pathOf(dir);
  const inFolder = (name: 'rejects' | 'certificate', file: string): string => {
    const given = one(name);
    return given === undefined ? join(folder, file) : pathOf(given);
  };
  const rejectsPath = inFolder('rejects', 'rejects.jsonl');
  const { database, masterKey, config } = await openPlatform({ isOwner: true });
  try {
    installLedger(database, { clock: systemClock, masterKey });
    const deps = {
      database,
      masterKey,
      clock: systemClock,
      rewardCurrency: config.REWARD_CURRENCY,
      closedAccountTtl_s: config.CLOSED_ACCOUNT_TTL,
      report: (step: string) => console.error(`import: ${step}`),
    };
    const options = {
      ...{ folder, rejectsPath, since },
      ...{ isDryRun: has('dry-run'), overwrites: has('overwrite') },
    };
    const result = await runImport(deps, options);
    printResult(result, rejectsPath);
    const { certificate, rejected } = result;
    if (certificate) {
      const { content: _, ...signed } = certificate;
      writeFileSync(inFolder('certificate', 'certificate.json'), `${JSON.stringify(signed)}\n`);
    }
    const isComplete = rejected.size === 0 && certificate?.content.agrees !== false;
    if (!isComplete) process.exitCode = REJECTED_EXIT;
  } finally {
    await database.close();
  }
}

export async function run(args: string[]): Promise<void> {
  try {
    const work = () => importFolder(args);
    // A dry run changes nothing that the audit log would have.
    await (args.includes('--dry-run') ? runUnaudited(work) : work());
  } catch (error) {
    process.exitCode = FAILED_EXIT;
    throw error;
  }
}
