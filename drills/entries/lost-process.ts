/** One of two instances is killed: requests, devices and jobs continue at the other one. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Drill } from '../harness/drill.ts';
import { checkAlerts, scrape } from '../support/alerts.ts';
import { type Cluster, openPostgresHome, query } from '../support/cluster.ts';
import { connectDevice, isOnline, registerDevice } from '../support/devices.ts';
import { DATABASE, openLab } from '../support/lab.ts';
import { checkBooks, countStatuses, longestPause, startPostings, until } from '../support/load.ts';

const LOAD_MS = 3000;
const WITHIN = { atMost: 5, unit: 's' };

/** Postings whose events no job has put in order. */
const isInOrder = async (cluster: Cluster): Promise<boolean> =>
  (await query(cluster.url(DATABASE), 'select from event where position is null limit 1'))
    .length === 0;

const drill: Drill = {
  name: 'lost-process',
  summary: 'one of two instances is killed under load, with a device connected to it',
  guide: 'runbooks.md#edgeaccountdown',
  async run(report) {
    const home = openPostgresHome();
    report.closing(() => home.remove());
    const cluster = await home.create('primary');
    const lab = await openLab(report, cluster);
    const [first = '', second = ''] = lab.addresses;
    const token = await lab.operatorToken();
    const deviceToken = await registerDevice(lab);
    const socket = await connectDevice(second, deviceToken);
    const isCut = once(socket, 'close');
    const before = await scrape({ address: second, token });
    const load = startPostings(lab, token);
    await wait(LOAD_MS);

    const killedAt = performance.now();
    await lab.instances[1]?.kill();
    await isCut;
    const again = await connectDevice(first, deviceToken);
    const connectedAt = performance.now();
    await until(() => isOnline(lab, first));
    const during = await scrape({ address: second, token });
    const orderedAt = await until(() => isInOrder(cluster));
    await wait(LOAD_MS);
    const startedAt = performance.now();
    await lab.instances[1]?.start();
    const readyAt = performance.now();
    await wait(LOAD_MS);
    await load.stop();
    again.terminate();

    report.note(`postings: ${countStatuses(load.attempts)}`);
    report.limit('the longest pause of postings', longestPause(load.attempts), WITHIN);
    report.limit('its device is connected again', (connectedAt - killedAt) / 1000, WITHIN);
    report.limit('jobs continue at the other one', (orderedAt - killedAt) / 1000, WITHIN);
    report.limit('ready again after its start', (readyAt - startedAt) / 1000, {
      ...{ atMost: 30, unit: 's' },
    });
    await checkAlerts(report, ['EdgeAccountDown'], [before, during]);
    await checkBooks(report, lab, { load, cluster });
  },
};
export default drill;
