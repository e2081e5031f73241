/** `edge-account ledger` as a process: names are added once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from './support/service-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'edge-account-ledger-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('adds currencies and types of business, and refuses to change them', { timeout: 120_000 }, async () => {
  const env = { DATA_DIR: folder };
  expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0 });
  expect(await runCommand(['ledger', 'currency', 'DAI', '18'], env)).toMatchObject({ code: 0, stdout: 'DAI: 18 decimals\n' });
  expect(await runCommand(['ledger', 'currency', 'DAI', '6'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there already, with 18 decimals'),
  });
  expect(await runCommand(['ledger', 'business', 'staking_reward', '--earning'], env)).toMatchObject({ code: 0, stdout: 'staking_reward: an earning\n' });
});
