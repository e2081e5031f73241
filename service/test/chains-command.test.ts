/** `edge-account chains` as a process: alone, and beside a service that holds the embedded database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { afterAll, expect, test } from 'vitest';
import { openEmbedded } from '../src/db/index.ts';
import { startAnvil } from './support/chains/anvil.ts';
import { findFreePort } from './support/postgres-server.ts';
import { runCommand, startService } from './support/service-process.ts';

const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 9));
const folder = mkdtempSync(join(tmpdir(), 'edge-account-chains-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a private key is refused, wrong use explained, an unknown network named with the known ones', {
  timeout: 120_000,
}, async () => {
  const env = { DATA_DIR: folder };
  const refused = await runCommand(
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
  expect(await runCommand(['chains'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('chains status [NETWORK]'),
  });
  expect(await runCommand(['chains', 'configure', 'ETHEREUM'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing was said about ETHEREUM'),
  });
  const unknown = await runCommand(['chains', 'status', 'NOPE'], env);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('ETHEREUM') });
});

test('a private key in the environment, or in what is stored, stops the start', {
  timeout: 120_000,
}, async () => {
  const secret = ACCOUNT.privateExtendedKey;
  const env = { DATA_DIR: join(folder, 'stored') };
  const given = await runCommand(['serve'], { ...env, HOT_WALLET: `{"key":"${secret}"}` });
  expect(given).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('HOT_WALLET holds an extended private key'),
  });
  expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0 });
  const database = await openEmbedded({ directory: join(env.DATA_DIR, 'database') });
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

test('beside a running service the command goes through its API, and shows the watcher following', {
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
    const done = await runCommand(
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
    let status = await runCommand(['chains', 'status', 'LOCAL'], service.env);
    for (let tries = 0; tries < 20 && !status.stdout.includes('following'); tries++)
      status = await runCommand(['chains', 'status', 'LOCAL'], service.env);
    expect(status).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/following\s+block 0 of 0, lag 0\n.*answers, head 0/),
    });
  } finally {
    await anvil.stop();
    await service.dispose();
  }
});
