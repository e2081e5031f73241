import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { insertDevice } from '../../test/support/test-devices.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import { DeviceList } from './list-devices.ts';
import { Presence } from './presence.ts';
import { listDeviceRows, toDevice } from './queries.ts';

const INTERVAL_S = 30;

describe.each(RUN_ENGINES)('the list of devices on %s', (engine) => {
  let database: Database;
  const clock = createManualClock('2026-11-20T05:00:00.123Z');

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  /** One instance: its presence, its list, and how often it read the devices. */
  function startNode() {
    let reads = 0;
    const counted: Database = {
      ...database,
      prepared: (name, text, values) => {
        if (name === 'devices-list') reads++;
        return database.prepared(name, text, values);
      },
    };
    const common = { database: counted, clock, heartbeatInterval_s: INTERVAL_S };
    const presence = new Presence({ ...common, grace_s: 600, onError: () => {} });
    return {
      presence,
      list: new DeviceList({
        ...common,
        lastHeard: (deviceId) => presence.lastHeard(deviceId),
      }),
      reads: () => reads,
    };
  }

  /** The list without the cache. */
  async function plain(userId: number, asStrings: boolean): Promise<unknown> {
    const rows = await listDeviceRows(database, userId, false);
    const devices = rows.map((row) =>
      toDevice(row, { now: clock.now(), heartbeatInterval_s: INTERVAL_S }, () => undefined),
    );
    return JSON.parse(stringifyExact({ devices }, asStrings));
  }

  test('equals the uncached list, and is read again after 1 s or a change', async () => {
    const userId = await insertUser(database);
    const devices = [
      await insertDevice(database, userId),
      await insertDevice(database, userId),
      await insertDevice(database, userId),
    ];
    const [first, second] = devices.map((device) => device.deviceId);
    if (first === undefined || second === undefined) throw new Error('no devices');
    await database.query('update device set name = \'a "quoted" \\ 名\' where id = $1', [first]);
    await database.query(
      "update device set cut = 'disconnected', cut_reason = 'owner', " +
        'cut_at = now() where id = $1',
      [second],
    );
    await database.query(
      'insert into device_usage (device_id, bytes_up, bytes_down) values ($1, 1, ' +
        '1234567890123456789)',
      [first],
    );
    const [here, there] = [startNode(), startNode()];
    const expectSame = async () => {
      for (const asStrings of [false, true])
        expect(JSON.parse((await here.list.read(userId, asStrings)).toString())).toEqual(
          await plain(userId, asStrings),
        );
    };
    await expectSame();
    there.presence.recordHeartbeat(first, '127.0.0.1');
    await there.presence.flush();
    await expectSame();
    const reads = here.reads();
    await expectSame();
    clock.advance(999);
    await expectSame();
    expect(here.reads()).toBe(reads);
    for (const wait_ms of [1000, 29_000]) {
      clock.advance(wait_ms);
      await expectSame();
    }
    clock.advance(40_000);
    there.presence.recordHeartbeat(first, '127.0.0.1');
    await there.presence.flush();
    for (const wait_ms of [20_000, 69_999, 1]) {
      clock.advance(wait_ms);
      await expectSame();
    }
    const readsBefore = here.reads();
    await transaction(database, async (tx) => {
      await tx.query("update device set name = 'renamed' where id = $1", [first]);
      await bumpDeviceListVersion(tx, [userId]);
    });
    await expectSame();
    expect(here.reads()).toBe(readsBefore + 2);
  });

  test('a heartbeat at this instance is shown immediately', async () => {
    const userId = await insertUser(database);
    const { deviceId } = await insertDevice(database, userId);
    const { list, presence } = startNode();
    const statusNow = async () =>
      (JSON.parse((await list.read(userId, false)).toString()) as { devices: { status: string }[] })
        .devices[0]?.status;
    expect(await statusNow()).toBe('offline');
    presence.recordHeartbeat(deviceId, '127.0.0.1');
    list.invalidate(userId);
    expect(await statusNow()).toBe('online');
  });
});
