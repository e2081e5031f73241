/** `edge-account verify --reward-archive`: files of an instance that archives by itself. */
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProofKey, createRewardArchiveJobs, settleDue } from '../../src/rewards/index.ts';
import { openTestDatabase } from '../support/databases.ts';
import { createDayNetwork } from '../support/day-network.ts';
import { runCommandHere } from '../support/run-command.ts';
import { testMasterKey } from '../support/test-config.ts';

const key = createProofKey(testMasterKey);
let folder: string;
let files: string[];
const at = (name: string): string => join(folder, name);
const verify = (...args: string[]) =>
  runCommandHere(['verify', ...args], { DATA_DIR: at('nothing') });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'edge-account-command-'));
  const database = await openTestDatabase('server');
  const lab = await createDayNetwork(database, 1);
  lab.endDay(await lab.useDay([1]));
  await settleDue(lab.deps());
  const jobs = createRewardArchiveJobs(database, lab.clock, key, {
    REWARD_ARCHIVE_TO: pathToFileURL(folder).href,
    TRAFFIC_REPORT_WINDOW: 604_800,
  });
  for (const job of jobs) await job.run(new AbortController().signal);
  await database.close();
  files = (await readdir(folder)).map(at);
  await writeFile(at('keys.json'), JSON.stringify({ keys: [key.published] }));
});
afterAll(() => rm(folder, { recursive: true }));

test('checks files without a database, and says whose key signed them', async () => {
  const options = files.flatMap((file) => ['--reward-archive', file]);
  const plain = await verify(...options);
  expect(plain).toMatchObject({ code: 0, stderr: '' });
  expect(plain.stdout).toContain(`, signed by ${key.published.kid}; `);
  expect(plain.stdout).toContain('as it was settled\nCompare the key with /.well-known/');
  const whole = await verify(...options, '--reward-keys', at('keys.json'), '--json');
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(whole.stdout)).toHaveLength(files.length);
});

test('ends with 1 for another key, and with 2 for what cannot be read', async () => {
  const [file = ''] = files;
  await writeFile(at('none.json'), JSON.stringify({ keys: [] }));
  const other = await verify('--reward-archive', file, '--reward-keys', at('none.json'));
  expect(other.code).toBe(1);
  expect(other.stdout).toContain('does not carry a valid signature of a known key\n');
  await copyFile(at('keys.json'), at('text'));
  const cases: [string[], string][] = [
    [['--reward-archive', at('text')], 'cannot be read'],
    [['--reward-archive', at('missing')], 'cannot be read'],
    [['--reward-archive', file, '--reward-keys', at('missing')], 'cannot be read'],
  ];
  for (const [args, text] of cases)
    expect(await verify(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
});
