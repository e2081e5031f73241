/**
 * The database is lost after a mistake, and restored from a base backup and the archived log to the
 * moment before it.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { call } from '../../service/test/demo/http-client.ts';
import { openSilentLine } from '../../service/test/support/silent-line.ts';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { archiveAll, openBackups } from '../support/backups.ts';
import { type Cluster, query } from '../support/cluster.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { readPostedKeys, startPostings } from '../support/load.ts';

const LOAD_MS = 4000;
const RESTORED_WITHIN = { atMost: 120, unit: 's' };
const LACKING_EXIT = 1;

interface Cut {
  readonly acknowledged: ReadonlySet<string>;
  /** Of those, what was acknowledged before the moment that is restored. */
  readonly before: ReadonlySet<string>;
  /** A signed head from the end, kept elsewhere. */
  readonly head: string;
}

/** What an operator does, in the order of the guide, and what it must say. */
async function checkRestored(
  report: DrillReport,
  lab: Lab,
  [backup, cut]: readonly [Cluster, Cut],
): Promise<void> {
  const posted = new Set(await readPostedKeys(backup));
  const lost = [...cut.before].filter((key) => !posted.has(key));
  const before = `of ${cut.before.size} acknowledged before the moment, lost (RPO)`;
  report.equal(before, lost.length, 0);
  const gone = [...cut.acknowledged].filter((key) => !posted.has(key)).length;
  const output = await lab.command(['restore-check', '--heads', cut.head], LACKING_EXIT);
  const counted = Number(/knows (\d+) transfers/.exec(output)?.[1]);
  report.equal('transfers that restore-check misses by the signed head', counted, gone);
  await lab.command(['verify', '--from-genesis']);
  report.check('verify --from-genesis agrees', true);
  await lab.command(['verify', '--from-genesis', '--heads', cut.head], 1);
  report.check('verify --heads names what is gone', true);
}

const drill: Drill = {
  name: 'restore',
  summary: 'the database is lost, and restored to a point in time from a backup and the archive',
  guide: 'operations.md#after-a-restore',
  async run(report) {
    const backups = await openBackups(report);
    const { primary, home } = backups;
    const line = await openSilentLine({ host: '127.0.0.1', port: primary.port });
    report.closing(() => line.close());
    const lab = await openLab(report, primary, { databasePort: line.port });
    // The first one makes the key of the heads, as the daily job does.
    await lab.command(['ledger', 'head']);
    const load = startPostings(lab, await lab.operatorToken());
    await wait(LOAD_MS);
    await backups.back();
    report.note('a base backup was made under load');
    await wait(LOAD_MS);
    const before = new Set(load.acknowledged);
    const [row] = await query<{ at: string }>(
      primary.url(),
      'select clock_timestamp()::text as at',
    );
    const late = await lab.signUp(primary);
    await wait(LOAD_MS);
    await load.stop();
    const head = join(home.folder, 'head.json');
    writeFileSync(head, await lab.command(['ledger', 'head']));
    await archiveAll(primary);

    for (const instance of lab.instances) await instance.kill();
    await primary.kill();
    rmSync(primary.data, { recursive: true });
    report.note('the database and all instances are gone');
    const lostAt = performance.now();
    const backup = await backups.recover(row?.at ?? '');
    report.note(`recovered after ${((performance.now() - lostAt) / 1000).toFixed(1)} s`);
    line.restore({ host: '127.0.0.1', port: backup.port });
    const cut = { acknowledged: load.acknowledged, before, head };
    await checkRestored(report, lab.at(backup), [backup, cut]);
    for (const instance of lab.instances) await instance.start();
    const again = startPostings(lab, await lab.operatorToken());
    const servedAt = await again.nextAcknowledged(0);
    await again.stop();
    report.limit('serves again (RTO)', (servedAt - lostAt) / 1000, RESTORED_WITHIN);
    const [address = ''] = lab.addresses;
    const old = await call(`${address}/me`, { token: late.accessToken });
    report.equal('a sign-in from after the moment', old.status, 401);
    const fresh = await lab.signUp(backup);
    report.check('no user gets an id that was given before', fresh.userId > late.userId);
  },
};
export default drill;
