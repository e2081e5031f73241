/** `edge-account ledger` as a process: names are added once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from './support/service-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'edge-account-ledger-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('adds currencies, types of business and wallets, and refuses to change them', {
  timeout: 120_000,
}, async () => {
  const env = { DATA_DIR: folder };
  expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0 });
  expect(await runCommand(['ledger', 'currency', 'DAI', '18'], env)).toMatchObject({
    code: 0,
    stdout: 'DAI: 18 decimals\n',
  });
  expect(await runCommand(['ledger', 'currency', 'DAI', '6'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there already, with 18 decimals'),
  });
  expect(
    await runCommand(['ledger', 'business', 'staking_reward', '--earning'], env),
  ).toMatchObject({ code: 0, stdout: 'staking_reward: an earning\n' });
  expect(await runCommand(['ledger', 'wallet', 'savings'], env)).toMatchObject({
    code: 0,
    stdout: 'savings: a wallet of people\n',
  });
  expect(await runCommand(['ledger', 'wallet', 'marketing', '--house'], env)).toMatchObject({
    code: 0,
    stdout: 'marketing: an account of the house\n',
  });
  expect(await runCommand(['ledger', 'wallet', 'savings', '--house'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there already, and is a wallet of people'),
  });
  expect(await runCommand(['ledger', 'wallet', 'users'], env)).toMatchObject({ code: 1 });
});
