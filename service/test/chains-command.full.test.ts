/**
 * `edge-account chains` as a process: alone, and beside a service that holds the embedded database.
 */
import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import { openServer } from '../src/db/index.ts';
import { startAnvil } from './support/chains/anvil.ts';
import { createCommandEnvironment } from './support/databases.ts';
import { findFreePort } from './support/postgres-server.ts';
import { runCommandHere } from './support/run-command.ts';
import { runCommand, startService } from './support/service-process.ts';

const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 9));

test('private keys, wrong usage and unknown networks are refused with an explanation', {
  timeout: 120_000,
}, async () => {
  const env = await createCommandEnvironment();
  const refused = await runCommandHere(
    [
      'chains',
      'configure',
      'ETHEREUM',
      '--rpc-url',
      'http://127.0.0.1:1',
      '--xpub',
      ACCOUNT.privateExtendedKey,
    ],
    env,
  );
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is a private key') });
  expect(refused.stderr).not.toContain(ACCOUNT.privateExtendedKey);
  expect(await runCommandHere(['chains'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('chains status [NETWORK]'),
  });
  expect(await runCommandHere(['chains', 'configure', 'ETHEREUM'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing was said about ETHEREUM'),
  });
  const unknown = await runCommandHere(['chains', 'status', 'NOPE'], env);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('ETHEREUM') });
});

test('the service does not start with a private key in its environment or database', {
  timeout: 120_000,
}, async () => {
  const secret = ACCOUNT.privateExtendedKey;
  const env = await createCommandEnvironment();
  const given = await runCommand(['serve'], { ...env, HOT_WALLET: `{"key":"${secret}"}` });
  expect(given).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('HOT_WALLET holds an extended private key'),
  });
  const database = await openServer({
    url: env.DATABASE_URL ?? '',
    poolSize: 1,
    onError: () => {},
  });
  await database.query(
    "insert into deposit_wallet (family, xpub, created_at) values ('evm', $1, now())",
    [secret],
  );
  await database.close();
  const stored = await runCommand(['serve'], { ...env, PORT: String(await findFreePort()) });
  expect(stored).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the stored deposit wallet 1 holds a private key'),
  });
  expect(`${given.stderr}${stored.stderr}${stored.stdout}`).not.toContain(secret);
});

test('beside a running service the command uses its API and shows the progress of the watcher', {
  timeout: 120_000,
}, async () => {
  const [service, anvil] = await Promise.all([startService(), startAnvil()]);
  try {
    const configure = [
      'chains',
      'configure',
      'LOCAL',
      '--rpc-url',
      anvil.url,
      '--xpub',
      ACCOUNT.publicExtendedKey,
    ];
    const done = await runCommandHere(
      [
        ...configure,
        '--kind',
        'evm',
        '--chain-id',
        '31337',
        '--finalized',
        'no',
        '--poll-ms',
        '50',
      ],
      service.env,
    );
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('LOCAL') });
    let status = await runCommandHere(['chains', 'status', 'LOCAL'], service.env);
    for (let tries = 0; tries < 20 && !status.stdout.includes('following'); tries++)
      status = await runCommandHere(['chains', 'status', 'LOCAL'], service.env);
    expect(status).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/following\s+block 0 of 0, lag 0\n.*answers, head 0/),
    });
  } finally {
    await anvil.stop();
    await service.dispose();
  }
});
