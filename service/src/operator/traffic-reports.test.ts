import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { bytesOfHours, insertDevice } from '../../test/support/test-devices.ts';
import { asOperator, asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import {
  REPORTED_HOUR as HOUR,
  openTrafficLab,
  type TrafficLab,
} from '../../test/support/traffic-fixture.ts';

describe.each(RUN_ENGINES)('traffic reports on the %s database', (engine) => {
  let lab: TrafficLab;

  beforeAll(async () => {
    lab = await openTrafficLab(engine);
  });
  afterAll(() => lab.close());

  test('a report counts once, however often and with whatever others it is sent', async () => {
    const { database, get, report, send } = lab;
    const userId = await insertUser(database);
    const { nodeId } = await insertDevice(database, userId);
    const first = report(`${engine}-1`, nodeId, { bytes_up: 1_500_000_001 });
    expect(await send([first])).toEqual({
      results: [{ index: 0, report_id: `${engine}-1`, status: 'accepted' }],
    });
    const again = await send([
      first,
      first,
      report(`${engine}-2`, nodeId),
      { ...first, bytes_up: 5 },
    ]);
    expect(
      again.results.map(
        (result: { status: string; code?: string }) => result.code ?? result.status,
      ),
    ).toEqual(['replayed', 'replayed', 'accepted', 'report_id_reused']);
    expect(await bytesOfHours(database, userId)).toBe(1_500_005_001n);
    expect((await get(userId, '')).devices).toMatchObject([{ traffic_gb: 1.500005001 }]);
    expect((await get(userId, `/${nodeId}/usage`)).hours).toEqual([
      {
        hour: '2026-11-20T03:00:00.000Z',
        online_seconds: 0,
        bytes_up: 1_500_001_001,
        bytes_down: 4_000,
        traffic_gb: 1.500005001,
      },
    ]);
  });

  test('a malformed report is refused alone, a malformed batch as a whole', async () => {
    const { app, database, report, send } = lab;
    const userId = await insertUser(database);
    const { nodeId } = await insertDevice(database, userId);
    const good = (n: number) => report(`${engine}-good-${n}`, nodeId);
    const { bytes_up: _, ...lacking } = report(`${engine}-lacking`, nodeId);
    const bad = [
      lacking,
      report(`${engine}-half`, nodeId, { bytes_up: 1.5 }),
      report(`${engine}-day`, nodeId, { from: '2026-02-30T00:00:00Z' }),
      null,
      7,
      {},
    ];
    const unstorable = [
      report('a\u0000', nodeId),
      report(`${engine}-nul`, 'n\ud800'),
      report(`${engine}-cat`, nodeId, { category: '\u0000' }),
    ];
    const { results } = await send([good(1), ...bad, good(2)]);
    expect(results.map((result: { index: number }) => result.index)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
    expect(
      results.map((result: { status: string; code?: string }) => result.code ?? result.status),
    ).toEqual(['accepted', ...bad.map(() => 'invalid_parameter'), 'accepted']);
    expect(results[1]).toEqual({
      index: 1,
      report_id: `${engine}-lacking`,
      status: 'refused',
      code: 'invalid_parameter',
      reason: 'bytes_up is required',
    });
    expect(results[4]).toMatchObject({ report_id: '', reason: 'the item must be object' });
    expect(await bytesOfHours(database, userId)).toBe(6_000n);
    const judged = (await send([good(3), ...unstorable, good(4)])).results;
    expect(judged.map((result: { reason?: string }) => result.reason ?? '')).toEqual([
      '',
      ...['report_id', 'node_id', 'category'].map(
        (field) => `${field} holds NUL, a lone surrogate or a field of a forbidden name`,
      ),
      '',
    ]);
    expect(judged[1]).toMatchObject({ index: 1, status: 'refused', code: 'invalid_parameter' });
    expect(await bytesOfHours(database, userId)).toBe(12_000n);
    expect(await send([null])).toMatchObject({ results: [{ status: 'refused' }] });
    for (const payload of [
      [],
      { reports: [] },
      { reports: {} },
      { reports: Array.from({ length: 1001 }, () => null) },
    ]) {
      const headers = asOperator('operator:traffic');
      const answer = await app.inject({
        method: 'POST',
        url: '/operator/traffic-reports',
        headers,
        payload,
      });
      expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_parameter' });
    }
  });

  test('reports of a time when the device was disconnected do not count', async () => {
    const { database, get, report, send } = lab;
    const userId = await insertUser(database);
    const { nodeId, deviceId } = await insertDevice(database, userId);
    await database.query(
      `insert into device_gap (device_id, from_at, to_at) values ($1, '2026-11-20T03:10:00Z',
        '2026-11-20T03:20:00Z')`,
      [deviceId],
    );
    const at = (name: string, from: string, to: string) =>
      report(`${engine}-gap-${name}`, nodeId, {
        from: `2026-11-20T03:${from}Z`,
        to: `2026-11-20T03:${to}Z`,
      });
    const { results } = await send([
      at('inside', '11:00', '12:00'),
      at('whole', '10:00', '20:00'),
      at('over', '09:00', '21:00'),
      at('after', '20:00', '21:00'),
    ]);
    expect(
      results.map((result: { status: string; code?: string }) => result.code ?? result.status),
    ).toEqual(['report_after_cut', 'report_after_cut', 'accepted', 'accepted']);
    expect(
      (await get(userId, `/${nodeId}/refused-reports?current=1&size=20`)).records,
    ).toMatchObject([
      { code: 'report_after_cut', reason: 'the device was cut off while the report was measured' },
      { code: 'report_after_cut' },
    ]);
  });

  test('a disconnect and a later delete are one gap', async () => {
    const { database, report, send } = lab;
    const userId = await insertUser(database);
    const { nodeId, deviceId } = await insertDevice(database, userId);
    await database.query(
      `insert into device_gap (device_id, from_at, to_at) values ($1, '2026-11-20T03:10:00Z',
        '2026-11-20T03:20:00Z')`,
      [deviceId],
    );
    await database.query(
      `update device set cut = 'deleted', cut_reason = 'owner',
        cut_at = '2026-11-20T03:20:00Z' where id = $1`,
      [deviceId],
    );
    const across = (name: string, to: string) =>
      report(`${engine}-absence-${name}`, nodeId, {
        from: '2026-11-20T03:11:00Z',
        to: `2026-11-20T03:${to}:00Z`,
      });
    expect((await send([across('gone', '21')])).results).toMatchObject([
      { code: 'report_after_cut', reason: 'the device was deleted before the report began' },
    ]);
    await database.query(
      `insert into device_gap (device_id, from_at, to_at) values ($1, '2026-11-20T03:20:00Z',
        '2026-11-20T03:30:00Z')`,
      [deviceId],
    );
    await database.query('update device set cut = null, cut_reason = null where id = $1', [
      deviceId,
    ]);
    expect((await send([across('back', '30'), across('beyond', '31')])).results).toMatchObject([
      { code: 'report_after_cut', reason: 'the device was cut off while the report was measured' },
      { status: 'accepted' },
    ]);
    expect(await bytesOfHours(database, userId)).toBe(3_000n);
  });

  test('parallel batches with the same reports count each once', async () => {
    const { database, report, send } = lab;
    const userId = await insertUser(database);
    const { nodeId } = await insertDevice(database, userId);
    const reports = Array.from({ length: 50 }, (_, i) => report(`${engine}-p${i}`, nodeId));
    await Promise.all([send(reports), send(reports.toReversed()), send(reports.slice(10, 30))]);
    expect(await bytesOfHours(database, userId)).toBe(150_000n);
  });

  test('each refusal has a reason that the owner can read, and affects no other', async () => {
    const { database, get, report, send } = lab;
    const userId = await insertUser(database);
    const { nodeId } = await insertDevice(database, userId);
    const { nodeId: young } = await insertDevice(database, userId, {
      createdAt: new Date('2026-11-20T04:30:00Z'),
    });
    const { nodeId: cut } = await insertDevice(database, userId);
    await database.query(
      `update device set cut = 'deleted', cut_reason = 'owner',
        cut_at = '2026-11-20T02:00:00Z' where node_id = $1`,
      [cut],
    );
    const { results } = await send([
      report(`${engine}-a`, nodeId, { from: HOUR.to, to: HOUR.from }),
      report(`${engine}-b`, nodeId, { from: '2026-11-18T03:00:00Z', to: '2026-11-20T04:00:00Z' }),
      report(`${engine}-c`, nodeId, { to: '2026-11-20T05:05:01Z' }),
      report(`${engine}-d`, nodeId, { from: '2026-11-19T04:00:00Z', to: '2026-11-19T04:59:59Z' }),
      report(`${engine}-e`, nodeId, { bytes_up: Number.MAX_SAFE_INTEGER }),
      report(`${engine}-f`, 'unknown'),
      report(`${engine}-g`, young),
      report(`${engine}-h`, cut),
      report(`${engine}-i`, nodeId),
      report(`${engine}-j`, nodeId, { from: HOUR.to, to: HOUR.to }),
      report(`${engine}-k`, young, { from: '2026-11-20T03:59:59Z', to: '2026-11-20T04:40:00Z' }),
      report(`${engine}-l`, young, { from: '2026-11-20T04:00:00Z', to: '2026-11-20T04:40:00Z' }),
    ]);
    expect(
      results.map((result: { status: string; code?: string }) => result.code ?? result.status),
    ).toEqual([
      'report_span',
      'report_span',
      'report_in_future',
      'report_too_late',
      'report_implausible',
      'unknown_node',
      'report_before_registration',
      'report_after_cut',
      'accepted',
      'report_span',
      'report_before_registration',
      'accepted',
    ]);
    expect([results[0].reason, results[9].reason, results[10].reason]).toEqual([
      'the report ends before it begins',
      'the report ends when it begins, and so covers no time',
      'the report begins in an hour before the one in which the device was registered',
    ]);
    const refused = await get(userId, `/${nodeId}/refused-reports?current=1&size=20`);
    expect(refused).toMatchObject({ total: 6, pages: 1 });
    expect(refused.records).toContainEqual(
      expect.objectContaining({
        report_id: `${engine}-d`,
        code: 'report_too_late',
        reason: 'the report came more than 86400 s after it ended',
      }),
    );
    expect((await send([report(`${engine}-h`, cut)])).results).toMatchObject([
      { status: 'refused', code: 'report_after_cut' },
    ]);
    expect(await bytesOfHours(database, userId)).toBe(6_000n);
  });

  test('a report across a change of owner belongs to the longer owner', async () => {
    const { database, report, send } = lab;
    const [before, after] = [await insertUser(database), await insertUser(database)];
    const { deviceId, nodeId } = await insertDevice(database, before);
    const change = '2026-11-20T03:40:00Z';
    await database.query(
      "update device set cut = 'deleted', cut_reason = 'owner', cut_at = $2 where id = $1",
      [deviceId, change],
    );
    await insertDevice(database, after, { nodeId, createdAt: new Date(change) });
    const { results } = await send([
      report(`${engine}-mostly-before`, nodeId),
      report(`${engine}-mostly-after`, nodeId, { from: '2026-11-20T03:30:00Z', bytes_up: 5_000 }),
    ]);
    expect(results.map((result: { status: string }) => result.status)).toEqual([
      'accepted',
      'accepted',
    ]);
    expect([await bytesOfHours(database, before), await bytesOfHours(database, after)]).toEqual([
      3_000n,
      7_000n,
    ]);
  });

  test('a report with a used ID is shown to the owner of the device at its time', async () => {
    const { database, get, report, send } = lab;
    const [before, after] = [await insertUser(database), await insertUser(database)];
    const { deviceId, nodeId } = await insertDevice(database, before);
    const change = '2026-11-20T04:10:00Z';
    await database.query(
      "update device set cut = 'deleted', cut_reason = 'owner', cut_at = $2 where id = $1",
      [deviceId, change],
    );
    await insertDevice(database, after, { nodeId, createdAt: new Date(change) });
    const { nodeId: elsewhere } = await insertDevice(database, before);
    await send([report(`${engine}-used`, elsewhere)]);
    expect((await send([report(`${engine}-used`, nodeId)])).results).toMatchObject([
      { code: 'report_id_reused' },
    ]);
    expect((await get(after, `/${nodeId}/refused-reports?current=1&size=20`)).records).toEqual([]);
    const { rows } = await database.query(
      'select report_id from refused_report where device_id = $1',
      [deviceId],
    );
    expect(rows).toEqual([{ report_id: `${engine}-used` }]);
  });

  test('totals do not decrease when the device is removed', async () => {
    const { app, database, report, send } = lab;
    const userId = await insertUser(database);
    const { nodeId } = await insertDevice(database, userId);
    await send([report(`${engine}-keep`, nodeId)]);
    await app.inject({
      method: 'POST',
      url: `/me/devices/${nodeId}/delete`,
      headers: asPerson(userId, 'devices:write'),
    });
    expect(await bytesOfHours(database, userId)).toBe(3_000n);
    const { rows } = await database.query(
      `select h.bytes_up::text, h.bytes_down::text
       from device_hour h join device d on d.id = h.device_id
       where d.node_id = $1 and d.user_id = $2`,
      [nodeId, userId],
    );
    expect(rows).toEqual([{ bytes_up: '1000', bytes_down: '2000' }]);
  });

  test('only operators report, and only complete reports count', async () => {
    const { database, get, report, send } = lab;
    const userId = await insertUser(database);
    const { nodeId } = await insertDevice(database, userId);
    expect(await send([report('x', nodeId)], asPerson(userId, 'devices:write'))).toMatchObject({
      code: 'insufficient_scope',
    });
    expect(await send([report('x', nodeId)], asOperator('operator:rewards'))).toMatchObject({
      code: 'insufficient_scope',
    });
    const wrong = [
      { bytes_up: -1 },
      { bytes_up: 1.5 },
      { bytes_up: '1' },
      { bytes_up: 2 ** 53 },
      { from: 'yesterday' },
      { report_id: '' },
      { node_id: 7 },
    ];
    for (const fields of wrong)
      expect(await send([report('x', nodeId, fields)])).toMatchObject({
        results: [{ status: 'refused', code: 'invalid_parameter' }],
      });
    expect(await send([])).toMatchObject({ code: 'invalid_parameter' });
    expect(
      await send(Array.from({ length: 1001 }, (_, i) => report(`n${i}`, nodeId))),
    ).toMatchObject({ code: 'invalid_parameter' });
    expect(await get(userId, `/${nodeId}/usage?beginDate=2026-02-30`)).toMatchObject({
      code: 'invalid_parameter',
    });
    expect(await get(userId, `/${nodeId}/usage?beginDate=2026-01-01`)).toMatchObject({
      errors: [{ field: 'beginDate', code: 'too_long' }],
    });
    expect(await get(await insertUser(database), `/${nodeId}/usage`)).toMatchObject({
      code: 'not_found',
    });
  });
});
