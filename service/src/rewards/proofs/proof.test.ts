import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PROOF_CHECKS,
  PROOF_FORMATS,
  type RewardKey,
  verifyRewardProof,
} from '@edge-account/sdk/reward-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { createNetwork, type SettledNetwork } from '../../../test/support/settled-network.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { asPerson, createTestServer } from '../../../test/support/test-server.ts';
import type { Database } from '../../db/index.ts';
import { recordTraffic } from '../../devices/index.ts';
import type { HttpServer } from '../../http/index.ts';
import { postTransfers } from '../../ledger/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createMasterKey } from '../../master-key.ts';
import { createProofKey, registerRewards, settleDue } from '../index.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');

interface Line {
  readonly bill_id?: number;
  readonly reward_type: string;
  readonly status: string;
  readonly is_correction: boolean;
}

describe.each(RUN_ENGINES)('proofs on %s', (engine) => {
  const clock = createManualClock(START);
  const keys = [createProofKey(testMasterKey).published];
  let database: Database;
  let network: SettledNetwork;
  let app: HttpServer;

  async function get(path: string, userId: number) {
    const response = await app.inject({
      url: path,
      headers: asPerson(userId, 'account:read', 'dashboard:read'),
    });
    return { status: response.statusCode, text: response.body, body: response.json() };
  }
  const linesOf = async (userId: number): Promise<Line[]> =>
    (await get('/me/rewards?current=1&size=20', userId)).body.records;
  const failed = async (
    text: string,
    published: readonly RewardKey[] = keys,
  ): Promise<string[]> => {
    const outcome = await verifyRewardProof(text, published);
    return PROOF_CHECKS.filter((check) => !outcome[check]);
  };

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    network = await createNetwork(database, clock, START);
    app = createTestServer();
    registerRewards(app, {
      db: database,
      clock,
      grace_s: 600,
      period: 'hour' as const,
      rewardCurrency: 'EDGE',
      proofKey: createProofKey(testMasterKey),
    });
    const deps = { database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' as const };
    await network.use(START);
    await settleDue(deps);
    // A late report: a correction, of the referral rewards too.
    clock.advance(HOUR_MS);
    const late = {
      reportId: 'late',
      nodeId: network.devices[1]?.nodeId ?? '',
      bytesUp: 0n,
      bytesDown: 7n,
      from: START,
      to: new Date(START.getTime() + HOUR_MS),
    };
    await recordTraffic(database, { clock, window_s: 604_800 }, 'relay', [
      late,
      { ...late, reportId: 'later', nodeId: network.devices[0]?.nodeId ?? '' },
    ]);
    await network.use(new Date(START.getTime() + HOUR_MS));
    await settleDue(deps);
    clock.advance(HOUR_MS);
    await settleDue(deps);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test('every bill of every kind has a valid one', async () => {
    const seen = new Set<string>();
    for (const userId of network.users) {
      for (const line of await linesOf(userId)) {
        expect(line.bill_id !== undefined).toBe(line.status === 'paid');
        if (line.bill_id === undefined) continue;
        const { status, text, body } = await get(`/me/rewards/${line.bill_id}/proof`, userId);
        expect(status).toBe(200);
        expect(await failed(text)).toEqual([]);
        expect(body.line.reward_type).toBe(line.reward_type);
        seen.add(`${line.reward_type}${line.is_correction ? ' corrected' : ''}`);
      }
    }
    expect([...seen].sort()).toEqual([
      'BONUS',
      'BONUS corrected',
      'PENALTY',
      'REFERRAL',
      'REFERRAL corrected',
      'TRAFFIC',
      'TRAFFIC corrected',
      'UPTIME',
    ]);
  });

  // The proof is the same bytes on either engine; changing each of them once is enough.
  if (engine === 'server')
    test('a change of any byte is detected', async () => {
      const [userId] = network.users;
      const line = (await linesOf(userId)).find(
        ({ reward_type, is_correction }) => reward_type === 'TRAFFIC' && is_correction,
      );
      const { text } = await get(`/me/rewards/${line?.bill_id}/proof`, userId);
      expect(await failed(text)).toEqual([]);
      const bytes = Buffer.from(text);
      for (let i = 0; i < bytes.length; i++) {
        const changed = Buffer.from(bytes);
        changed[i] = (bytes[i] ?? 0) === 0x30 ? 0x31 : 0x30;
        if ((await failed(changed.toString())).length === 0)
          expect.fail(`byte ${i} may change unseen`);
      }
      for (const changed of [
        `${text}\n`,
        ` ${text}`,
        text.slice(0, -1),
        text.replace('{', '{"more":1,'),
        '',
        'null',
        '[]',
        '{}',
      ])
        expect(await failed(changed)).not.toEqual([]);
    });

  test('a changed proof fails even when it is signed again', async () => {
    const [userId] = network.users;
    const line = (await linesOf(userId)).find(({ reward_type }) => reward_type === 'TRAFFIC');
    const { body } = await get(`/me/rewards/${line?.bill_id}/proof`, userId);
    const resigned = (change: (proof: typeof body) => void): Promise<string[]> => {
      const proof = structuredClone(body);
      change(proof);
      delete proof.signature;
      return failed(
        JSON.stringify({
          ...proof,
          signature: createProofKey(testMasterKey).sign(JSON.stringify(proof)),
        }),
      );
    };
    expect(await resigned(() => {})).toEqual([]);
    expect(await resigned((proof) => Object.assign(proof.line, { quantity: '1' }))).toEqual(
      expect.arrayContaining(['rooted']),
    );
    expect(await resigned((proof) => Object.assign(proof.bill, { amount: '5' }))).toEqual([
      'billed',
    ]);
    expect(await resigned((proof) => Object.assign(proof.tree, { salt: '00'.repeat(16) }))).toEqual(
      ['rooted'],
    );
    expect(await resigned((proof) => Object.assign(proof.reports[0], { bytes_up: '1' }))).toEqual([
      'reported',
    ]);
    // Other reports with the same sum.
    const [{ bytes_up, bytes_down }] = body.reports;
    for (const change of [
      { report_id: 'forged' },
      { client_id: 'forged' },
      { bytes_up: bytes_down, bytes_down: bytes_up },
    ])
      expect(await resigned((proof) => Object.assign(proof.reports[0], change))).toEqual([
        'reported',
      ]);
    expect(
      await resigned((proof) => Object.assign(proof.line, { reports_hash: '00'.repeat(32) })),
    ).toEqual(['reported', 'rooted']);
    expect(
      await resigned((proof) => Object.assign(proof.line, { referee: '00'.repeat(32) })),
    ).toEqual(['rooted']);
    // Proofs of previous formats, which had no buckets, and did not bind them.
    const setFormat = (proof: typeof body, format: 2 | 3 | 4): typeof body =>
      Object.assign(proof, { format: PROOF_FORMATS[format] });
    const withoutBucket = (proof: typeof body): void => {
      delete proof.tree.bucket;
    };
    const withoutHash = (proof: typeof body): void => {
      for (const name of ['reports_hash', 'referee']) delete proof.line[name];
    };
    expect(body.format).toBe(PROOF_FORMATS[line?.is_correction ? 3 : 4]);
    for (const format of [2, 3, 4] as const) {
      if (PROOF_FORMATS[format] !== body.format)
        expect(await resigned((proof) => setFormat(proof, format))).toEqual(['whole', 'rooted']);
    }
    expect(await resigned(withoutHash)).toContain('whole');
    expect(
      await resigned((proof) => {
        withoutHash(setFormat(proof, 2));
        withoutBucket(proof);
      }),
    ).toEqual(['rooted']);
    expect(
      await resigned((proof) => Object.assign(proof, { rules: proof.rules.replace('"2"', '"3"') })),
    ).toEqual(expect.arrayContaining(['ruled']));
    // A signer who pays less than the rules, and makes everything else consistent.
    expect(await resigned((proof) => Object.assign(proof.line, { rate: '1' }))).toContain(
      'calculated',
    );
    expect(
      await resigned((proof) => Object.assign(proof.ledger, { reference: 'rewards 1 00' })),
    ).toEqual(['sealed']);
    expect(await resigned((proof) => Object.assign(proof.bill, { id: proof.bill.id + 2 }))).toEqual(
      ['rooted'],
    );
    for (const more of [-1, 1])
      expect(
        await resigned((proof) => Object.assign(proof.tree, { size: proof.tree.size + more })),
      ).toContain('sealed');
  });

  test('a proof of another bucket fails even when it is signed again', async () => {
    const [userId] = network.users;
    const bills = (await linesOf(userId)).flatMap(({ bill_id, is_correction }) =>
      is_correction ? [] : (bill_id ?? []),
    );
    expect(bills.length).toBeGreaterThan(1);
    for (const id of bills) {
      const { body } = await get(`/me/rewards/${id}/proof`, userId);
      expect(body.tree.bucket.count).toBe(2);
      for (const name of ['number', 'size', 'count'])
        for (const more of [-1, 1, 0.5, 2 ** 32]) {
          const { signature: _, ...proof } = structuredClone(body);
          proof.tree.bucket[name] += more;
          const signature = createProofKey(testMasterKey).sign(JSON.stringify(proof));
          expect(await failed(JSON.stringify({ ...proof, signature })), `${name} ${more}`).toEqual([
            'rooted',
          ]);
        }
    }
  });

  test('another key does not verify it', async () => {
    const [userId] = network.users;
    const line = (await linesOf(userId)).find(({ bill_id }) => bill_id !== undefined);
    const { text } = await get(`/me/rewards/${line?.bill_id}/proof`, userId);
    const other = createProofKey(createMasterKey(Buffer.alloc(32, 9))).published;
    expect(await failed(text, [other])).toEqual(['signed']);
    const published = (await app.inject('/.well-known/reward-keys.json')).json();
    expect(published.keys).toMatchObject([
      { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: JSON.parse(text).key_id },
    ]);
  });

  test('the command checks a file', async () => {
    const [userId] = network.users;
    const line = (await linesOf(userId)).find(({ bill_id }) => bill_id !== undefined);
    const { text } = await get(`/me/rewards/${line?.bill_id}/proof`, userId);
    const folder = mkdtempSync(join(tmpdir(), 'edge-account-proof-'));
    const run = (): string =>
      execFileSync(
        process.execPath,
        [
          '--disable-warning=ExperimentalWarning',
          'service/src/main.ts',
          'verify-proof',
          'proof.json',
          '--keys',
          'reward-keys.json',
        ],
        {
          // As npm runs it: in the folder of the package, called from another.
          env: { ...process.env, INIT_CWD: folder },
          stdio: 'pipe',
        },
      ).toString();
    writeFileSync(
      join(folder, 'reward-keys.json'),
      (await app.inject('/.well-known/reward-keys.json')).body,
    );
    writeFileSync(join(folder, 'proof.json'), text);
    expect(run()).toContain('The proof holds.');
    writeFileSync(join(folder, 'proof.json'), text.replace('"leaf":', '"leaf": '));
    expect(run).toThrow(/does not hold/);
    rmSync(folder, { recursive: true });
  });

  test('its root is public', async () => {
    const [userId] = network.users;
    const bills = (await linesOf(userId)).flatMap(({ bill_id }) => bill_id ?? []);
    const proofs = await Promise.all(
      bills.map(async (id) => (await get(`/me/rewards/${id}/proof`, userId)).body),
    );
    const roots = async (filter: string) =>
      (await app.inject(`/.well-known/reward-roots?current=1&size=20${filter}`)).json();
    const all = await roots('');
    expect(all.total).toBe(new Set(all.records.map(({ batch }: { batch: number }) => batch)).size);
    for (const { line, tree } of proofs) {
      const { records } = await roots(`&batch=${line.batch}`);
      expect(records).toMatchObject([{ batch: line.batch, root: tree.root }]);
      expect((await roots(`&hour=${records[0].hour}`)).records).toContainEqual(records[0]);
    }
    expect(Object.keys(all.records[0])).toEqual(['batch', 'kind', 'hour', 'root', 'settled_at']);
    expect(await roots('&batch=999999')).toMatchObject({ total: 0, records: [] });
    expect(await roots('&hour=noon')).toMatchObject({ status: 400, errors: [{ field: 'hour' }] });
  });

  test('only its owner gets it, and only for what rules paid', async () => {
    const [top, middle] = network.users;
    const line = (await linesOf(top)).find(({ bill_id }) => bill_id !== undefined);
    expect((await get(`/me/rewards/${line?.bill_id}/proof`, middle)).status).toBe(404);
    for (const id of ['0', 'abc', '-1', '1e3', '999999999', '9'.repeat(30)])
      expect((await get(`/me/rewards/${id}/proof`, top)).status).toBe(404);
    const [posted] = await postTransfers(database, [
      {
        idempotencyKey: 'by-hand',
        debit: { house: 'reward_pool' },
        credit: { userId: top, wallet: 'bonus' },
        currency: 'EDGE',
        amount: 5n,
        businessId: 'reward',
        eventAt: START,
        rewardType: 'MY_OWN',
      },
    ]);
    const id = posted?.status === 'posted' ? posted.transferId * 2 : 0;
    expect((await get(`/me/rewards/${id}/proof`, top)).body).toMatchObject({
      status: 409,
      code: 'not_paid_by_rules',
    });
    expect((await get(`/me/rewards/${id + 1}/proof`, top)).status).toBe(404);

    const listOf = async (type: string, userId: number) =>
      get(`/me/rewards?current=1&size=20&rewardType=${type}`, userId);
    for (const [type, userId] of [
      ['NOPE', top],
      ['MY_OWN', middle],
    ] as const) {
      expect((await listOf(type, userId)).body).toMatchObject({
        status: 400,
        errors: [{ field: 'rewardType', code: 'unknown' }],
      });
    }
    expect((await listOf('MY_OWN', top)).body).toMatchObject({ total: 0 });
    expect((await listOf('PENALTY', top)).status).toBe(200);
  });
});
