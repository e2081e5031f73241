/** An operator's relay and the owners of devices, without the rest of the service. */
import { registerDevices } from '../../src/devices/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { registerOperatorDevices } from '../../src/operator/devices.ts';
import { registerTrafficReports } from '../../src/operator/traffic-reports.ts';
import { type Engine, openTestDatabase } from './databases.ts';
import { testConfig } from './test-config.ts';
import { deviceDeps } from './test-devices.ts';
import { asOperator, asPerson, createTestServer } from './test-server.ts';

/** The default hour of the lab's reports. */
export const REPORTED_HOUR = { from: '2026-11-20T03:00:00Z', to: '2026-11-20T04:00:00Z' };

export type TrafficLab = Awaited<ReturnType<typeof openTrafficLab>>;

export async function openTrafficLab(engine: Engine) {
  const clock = createManualClock('2026-11-20T05:00:00Z');
  const database = await openTestDatabase(engine);
  const app = createTestServer();
  const devices = registerDevices(app, {
    ...{ config: testConfig(), database, clock },
    ...deviceDeps(database, clock),
  });
  registerOperatorDevices(app, { database, clock, devices });
  registerTrafficReports(app, { database, clock, window_s: 86_400 });
  return {
    database,
    app,
    clock,
    report: (report_id: string, node_id: string, fields: object = {}) => ({
      report_id,
      node_id,
      bytes_up: 1_000,
      bytes_down: 2_000,
      ...REPORTED_HOUR,
      ...fields,
    }),
    send: async (reports: unknown[], headers = asOperator('operator:traffic')) =>
      (
        await app.inject({
          method: 'POST',
          url: '/operator/traffic-reports',
          headers,
          payload: { reports },
        })
      ).json(),
    get: async (userId: number, path: string) =>
      (
        await app.inject({ url: `/me/devices${path}`, headers: asPerson(userId, 'devices:read') })
      ).json(),
    look: async (path: string, headers = asOperator('operator:users')) =>
      (await app.inject({ url: `/operator${path}`, headers })).json(),
    async close() {
      await app.close();
      await database.close();
    },
  };
}
