/** The mail relay is down while 6,000 mails are queued; then it is back. */
import { setTimeout as wait } from 'node:timers/promises';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { openMailHost } from '../../service/test/support/mail-host.ts';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import type { Drill } from '../harness/drill.ts';
import { checkAlerts, scrape } from '../support/alerts.ts';
import { openPostgresHome, query } from '../support/cluster.ts';
import { DATABASE, openLab } from '../support/lab.ts';
import { until } from '../support/load.ts';

const QUEUED = 6000;
/** Longer than the minute after which the alert is due. */
const DOWN_MS = 65_000;
const WITHIN = { atMost: 10, unit: 's' };

/** A registration, for which a code is mailed. */
const askForCode = (address: string, email: string): Promise<unknown> =>
  expectOk(`${address}/user/register`, {
    body: { email, nickname: 'Drill', login_password: '0'.repeat(31).concat('7') },
  });

const drill: Drill = {
  name: 'mail-outage',
  summary: `the relay is down for a minute and ${QUEUED} mails wait: a code still arrives in 10 s`,
  guide: 'runbooks.md#edgeaccountcodeslate',
  isLong: true,
  async run(report) {
    const home = openPostgresHome();
    report.closing(() => home.remove());
    const cluster = await home.create('primary');
    const port = await findFreePort();
    const lab = await openLab(report, cluster, {
      env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Drill <drill@example.test>' },
    });
    const [address = ''] = lab.addresses;
    const token = await lab.operatorToken();
    await query(
      cluster.url(DATABASE),
      `insert into mail (recipient, subject, body, created_at, next_attempt_at)
       select 'reader' || n || '@example.test', 'Drill', 'Text', now(), now()
       from generate_series(1, $1) n`,
      [QUEUED],
    );
    // Mails of the sign-ups wait, too; a code from before the fault would be late already.
    await query(cluster.url(DATABASE), `delete from mail where expires_at is not null`);
    const before = await scrape({ address, token });
    await askForCode(address, 'early@example.test');
    report.note('no relay; a code waits');
    await wait(DOWN_MS);
    const during = await scrape({ address, token });
    const ready = await fetch(`${address}/readyz`);
    report.equal('/readyz without a relay', ready.status, 200);
    const lines = lab.instances.map((one) => one.output().match(/no mail relay can be/g)?.length);
    report.check(
      `each instance that sends logs the outage at most once (${lines.map((n) => n ?? 0).join()})`,
      lines.some((n) => n === 1) && lines.every((n) => (n ?? 0) <= 1),
    );
    await checkAlerts(report, ['EdgeAccountCodesLate'], [before, during]);

    const relay = await openMailHost(port);
    report.closing(() => relay.close());
    const backAt = performance.now();
    await askForCode(address, 'fresh@example.test');
    const isThere = (email: string) => async () =>
      relay.received.some((text) => text.includes(`To: ${email}`));
    const freshAt = await until(isThere('fresh@example.test'));
    const before6000 = relay.received.length;
    report.limit('a code that is asked for then arrives', (freshAt - backAt) / 1000, WITHIN);
    const earlyAt = await until(isThere('early@example.test'));
    report.limit('the code that waited arrives', (earlyAt - backAt) / 1000, WITHIN);
    report.note(`other mails sent before it: ${before6000 - 1}`);
    const allAt = await until(async () => relay.received.length >= QUEUED);
    report.note(`all ${QUEUED} others are sent after ${Math.round((allAt - backAt) / 1000)} s`);
    const twice = relay.received.length - new Set(relay.received.map(recipientOf)).size;
    report.equal('mails that were sent twice', twice, 0);
  },
};

const recipientOf = (text: string): string => /^To: (.*)$/m.exec(text)?.[1] ?? '';

export default drill;
