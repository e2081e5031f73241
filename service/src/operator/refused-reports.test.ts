import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { bytesOfHours, insertDevice } from '../../test/support/test-devices.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { openTrafficLab, type TrafficLab } from '../../test/support/traffic-fixture.ts';

describe.each(RUN_ENGINES)('refused reports on the %s database', (engine) => {
  let lab: TrafficLab;

  beforeAll(async () => {
    lab = await openTrafficLab(engine);
  });
  afterAll(() => lab.close());

  test('the owner sees the newest malformed or repeated report, cleaned and cut', async () => {
    const { clock, database, get, report, send } = lab;
    const userId = await insertUser(database);
    const { nodeId } = await insertDevice(database, userId);
    const { nodeId: other } = await insertDevice(database, await insertUser(database));
    const refused = (size = 20) => get(userId, `/${nodeId}/refused-reports?current=1&size=${size}`);
    const first = report(`${engine}-once`, nodeId);
    await send([
      first,
      { ...first, bytes_up: 7 },
      report(`${engine}-half`, nodeId, { bytes_up: 1.5 }),
      report(`${engine}-time`, nodeId, { from: 'yesterday' }),
      report(`${engine}-kind`, nodeId, { category: '' }),
      { node_id: nodeId, ['\u202eevil'.repeat(100)]: '\u0000' },
      report(`${engine}-other`, other, { bytes_up: -1 }),
      ...['', 'unknown', 'n'.repeat(129), '\ud800', 7, null].map((node) =>
        report(`${engine}-lost`, nodeId, { node_id: node, bytes_up: -1 }),
      ),
    ]);
    const { total, records } = await refused();
    expect(total).toBe(5);
    const reasons = new Map<string, string>(
      records.map((record: { report_id: string; reason: string }) => [
        record.report_id,
        record.reason,
      ]),
    );
    expect(reasons.get(`${engine}-half`)).toMatch(/^bytes_up must be integer/);
    expect(reasons.get(`${engine}-time`)).toBe('from must be an instant, as 2026-02-28T12:00:00Z');
    expect(reasons.get(`${engine}-kind`)).toMatch(/^category must NOT have fewer than 1 char/);
    expect(reasons.get('')).toMatch(/^(\ufffdevil)+$/);
    expect(reasons.get('')).toHaveLength(300);
    expect(records).toContainEqual({
      report_id: `${engine}-once`,
      from: '2026-11-20T03:00:00.000Z',
      to: '2026-11-20T04:00:00.000Z',
      traffic_gb: 0.000002007,
      code: 'report_id_reused',
      reason: 'another report had this ID',
      reason_code: 'id_reused',
      received_at: clock.now().toISOString(),
    });
    expect(
      records.find((record: { report_id: string }) => record.report_id === `${engine}-half`),
    ).toEqual({
      report_id: `${engine}-half`,
      code: 'invalid_parameter',
      reason: reasons.get(`${engine}-half`),
      reason_code: 'malformed_bytes_up',
      reason_values: { problem: 'bytes_up must be integer: Bytes from the device' },
      received_at: clock.now().toISOString(),
    });
    expect(await bytesOfHours(database, userId)).toBe(3_000n);

    // A repeated report is stored once; reports beyond the limit replace older ones, from several
    // relays at once too.
    await send([report(`${engine}-half`, nodeId, { bytes_up: 1.5 })]);
    expect(await refused()).toMatchObject({ total: 5 });
    const junk = (of: number) =>
      Array.from({ length: 100 }, (_, i) =>
        report(`${engine}-junk-${of}-${i}`, nodeId, { bytes_up: -i - 1 }),
      );
    await Promise.all([1, 2, 3].map((of) => send(junk(of))));
    const kept = await refused();
    expect(kept).toMatchObject({ total: 20 });
    expect(
      kept.records.every((record: { report_id: string }) =>
        record.report_id.startsWith(`${engine}-junk-`),
      ),
    ).toBe(true);
  });
});
