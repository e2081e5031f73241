/** `npm run seed`: a sample account, on a service that starts and whose ledger verifies. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOperator, signInByApi } from '../console/test/support/seed.ts';
import { expectOk } from '../service/test/demo/http-client.ts';
import { runCommand, startService } from '../service/test/support/service-process.ts';

const SEED = new URL('./seed.ts', import.meta.url).pathname;

test('a new data directory gets a seeded account, an existing one is not changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-seed-'));
  const environment = { PATH: process.env.PATH ?? '', DATA_DIR: folder };
  const printed = execFileSync(process.execPath, [SEED], { env: environment, encoding: 'utf8' });
  const [, email = '', password = ''] = /(\S+@\S+), password "(.*)"/.exec(printed) ?? [];

  const MASTER_KEY = Buffer.from(
    readFileSync(join(folder, 'master.key'), 'utf8').trim(),
    'base64url',
  ).toString('hex');
  const service = await startService({ DATA_DIR: folder, MASTER_KEY });
  try {
    const token = await signInByApi(service.baseUrl, { email, password, nickname: '' });
    const me = { token };
    const { devices } = await expectOk<{ devices: unknown[] }>(`${service.baseUrl}/me/devices`, me);
    expect(devices).toHaveLength(2);
    const bills = `${service.baseUrl}/bonus-account/bills?current=1&size=1`;
    expect((await expectOk<{ total: number }>(bills, me)).total).toBeGreaterThan(60);
    const book = await expectOk<unknown[]>(`${service.baseUrl}/me/payout-addresses`, me);
    expect(book).toHaveLength(2);
    const payouts = `${service.baseUrl}/payouts?current=1&size=20`;
    const { records } = await expectOk<{ records: { status: string }[] }>(payouts, me);
    expect(records.map(({ status }) => status).toReversed()).toEqual([
      ...['confirmed', 'rejected', 'cancelled', 'sent', 'in_review', 'approved', 'in_review'],
    ]);
    const operator = await openOperator({ baseUrl: service.baseUrl, dataDir: folder });
    const queue = await expectOk<{ total: number }>(
      `${service.baseUrl}/operator/payouts?status=in_review&current=1&size=20`,
      operator,
    );
    expect(queue.total).toBe(2);
    const log = await expectOk<{ entries: { operation: string; reason?: string }[] }>(
      `${service.baseUrl}/operator/audit?actor_kind=person&size=100`,
      operator,
    );
    expect(log.entries).toHaveLength(14);
    expect(log.entries).toContainEqual(
      expect.objectContaining({ operation: 'disableUser', reason: expect.stringMatching(/share/) }),
    );
  } finally {
    await service.stop();
  }
  expect(await runCommand(['verify'], service.env)).toMatchObject({ code: 0 });
  const again = spawnSync(process.execPath, [SEED], { env: environment, encoding: 'utf8' });
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('has a database') });
  await service.dispose();
  rmSync(folder, { recursive: true, force: true });
});
