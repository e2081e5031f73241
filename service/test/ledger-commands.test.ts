/** `edge-account ledger`: names are added once. */
import { expect, test } from 'vitest';
import { createCommandEnvironment } from './support/databases.ts';
import { runCommandHere } from './support/run-command.ts';

test('adds currencies, transaction types and wallet kinds, and refuses to change them', {
  timeout: 120_000,
}, async () => {
  const env = await createCommandEnvironment();
  expect(await runCommandHere(['ledger', 'currency', 'DAI', '18'], env)).toMatchObject({
    code: 0,
    stdout: 'DAI: 18 decimals\n',
  });
  expect(await runCommandHere(['ledger', 'currency', 'DAI', '6'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there already, with 18 decimals'),
  });
  expect(
    await runCommandHere(['ledger', 'business', 'staking_reward', '--earning'], env),
  ).toMatchObject({ code: 0, stdout: 'staking_reward: an earning\n' });
  expect(await runCommandHere(['ledger', 'wallet', 'savings'], env)).toMatchObject({
    code: 0,
    stdout: 'savings: a wallet of people\n',
  });
  expect(await runCommandHere(['ledger', 'wallet', 'marketing', '--house'], env)).toMatchObject({
    code: 0,
    stdout: 'marketing: an account of the house\n',
  });
  expect(await runCommandHere(['ledger', 'wallet', 'savings', '--house'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there already, and is a wallet of people'),
  });
  expect(await runCommandHere(['ledger', 'wallet', 'users'], env)).toMatchObject({ code: 1 });
});
