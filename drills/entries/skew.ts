/** The clock of one instance jumps ahead by five seconds, and back. */
import { setTimeout as wait } from 'node:timers/promises';
import { call } from '../../service/test/demo/http-client.ts';
import type { Drill } from '../harness/drill.ts';
import { checkAlerts, scrape } from '../support/alerts.ts';
import { openPostgresHome } from '../support/cluster.ts';
import { openLab } from '../support/lab.ts';
import { checkBooks, countStatuses, startPostings, startReads, until } from '../support/load.ts';

const JUMP_MS = 5000;
const LOAD_MS = 3000;
const CLOCK = new URL('../../service/test/support/skewed-clock.ts', import.meta.url);
const SEEN_WITHIN = { atMost: 61, unit: 's' };

const drill: Drill = {
  name: 'skew',
  summary: 'the clock of one of two instances jumps five seconds ahead, and back, under load',
  guide: 'operations.md#clocks',
  async run(report) {
    const home = openPostgresHome();
    report.closing(() => home.remove());
    const cluster = await home.create('primary');
    const lab = await openLab(report, cluster, {
      envOf: (index): Record<string, string> =>
        index === 0 ? {} : { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_JUMP_MS: `${JUMP_MS}` },
    });
    const [first = '', second = ''] = lab.addresses;
    const ahead = lab.instances[1];
    const token = await lab.operatorToken();
    const [reader, leaver] = lab.people;
    const before = await scrape({ address: second, token });
    const load = startPostings(lab, token);
    const reads = startReads(lab.addresses, '/account/info', reader?.accessToken ?? '');
    await wait(LOAD_MS);

    process.kill(ahead?.pid ?? 0, 'SIGUSR2');
    const jumpedAt = performance.now();
    const offset = async (): Promise<number> =>
      ((await (await fetch(`${second}/readyz`)).json()) as { clock_offset_ms: number })
        .clock_offset_ms;
    const seenAt = await until(async () => (await offset()) > JUMP_MS - 500);
    report.limit('seen by /readyz', (seenAt - jumpedAt) / 1000, SEEN_WITHIN);
    const during = await scrape({ address: second, token });
    await checkAlerts(report, ['EdgeAccountClockOff'], [before, during]);
    const body = { id: leaver?.userId, everywhere: true };
    const out = await call(`${second}/user/logout`, { token: leaver?.accessToken ?? '', body });
    report.equal('a sign-out everywhere at the instance ahead', out.status, 204);
    const gone = async (): Promise<boolean> =>
      (await call(`${first}/me`, { token: leaver?.accessToken ?? '' })).status === 401;
    const askedAt = performance.now();
    const goneAt = await until(gone);
    report.limit('refused by the other one', (goneAt - askedAt) / 1000, { atMost: 1, unit: 's' });
    await wait(LOAD_MS);
    process.kill(ahead?.pid ?? 0, 'SIGUSR2');
    await wait(LOAD_MS);
    report.check('the offset is gone', Math.abs(await offset()) < 500);
    await load.stop();
    await reads.stop();

    report.note(`postings: ${countStatuses(load.attempts)}`);
    report.note(`guarded reads: ${countStatuses(reads.attempts)}`);
    const all = [...load.attempts, ...reads.attempts];
    report.equal('requests that failed', all.filter(({ status }) => status !== 200).length, 0);
    report.check(
      'the instance logged its offset',
      /is [45]\.\d s ahead/.test(ahead?.output() ?? ''),
    );
    await checkBooks(report, lab, { load, cluster });
  },
};
export default drill;
