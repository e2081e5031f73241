/** A signing key is stolen; `keys emergency` ends what it signed, on every instance. */
import { setTimeout as wait } from 'node:timers/promises';
import { openServer } from '../../service/src/db/index.ts';
import { createMasterKey } from '../../service/src/master-key.ts';
import { call, expectOk } from '../../service/test/demo/http-client.ts';
import { testConfig } from '../../service/test/support/test-config.ts';
import { createTestTokens } from '../../service/test/support/tokens.ts';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { type Cluster, openPostgresHome } from '../support/cluster.ts';
import { DATABASE, type Lab, OWNER, openLab } from '../support/lab.ts';
import { until } from '../support/load.ts';

const WITHIN = { atMost: 1, unit: 's' };
/** The thief signs with a later time than the emergency. */
const LATER_MS = 10_000;

/** Signs with the key of the service, as a thief would. @returns tokens of an operator */
async function forge(report: DrillReport, cluster: Cluster, { env }: Lab): Promise<string[]> {
  const database = await openServer({
    ...{ url: cluster.url(DATABASE, OWNER), poolSize: 2 },
    onError: () => undefined,
  });
  report.closing(() => database.close());
  const masterKey = createMasterKey(Buffer.from(env.MASTER_KEY ?? '', 'hex'));
  const config = testConfig(env);
  const clock = { now: () => new Date(Date.now() + LATER_MS) };
  return [
    await createTestTokens(database, { config, masterKey }).operator('operator:users'),
    await createTestTokens(database, { config, masterKey, clock }).operator('operator:users'),
  ];
}

interface Jwks {
  readonly keys: readonly { readonly kid: string }[];
}

const readKids = async (address: string): Promise<string[]> =>
  (await expectOk<Jwks>(`${address}/.well-known/jwks.json`)).keys.map(({ kid }) => kid);

const kidOf = (token: string): string =>
  (JSON.parse(atob(token.split('.')[0] ?? '')) as { kid: string }).kid;

const drill: Drill = {
  name: 'key-compromise',
  summary: 'a stolen signing key is dropped: what it signed is refused by every instance',
  guide: 'runbooks.md#a-stolen-signing-key',
  async run(report) {
    const home = openPostgresHome();
    report.closing(() => home.remove());
    const cluster = await home.create('primary');
    const lab = await openLab(report, cluster);
    const forged = await forge(report, cluster, lab);
    const person = lab.people[0];
    const tokens = [forged[0] ?? '', person?.accessToken ?? ''];
    const paths = [`/operator/users/${person?.userId}`, '/me'];
    const ask = async (address: string, index: number): Promise<number> =>
      (await call(`${address}${paths[index]}`, { token: tokens[index] })).status;
    const askAll = (): Promise<number[]> =>
      Promise.all(lab.addresses.flatMap((address) => [ask(address, 0), ask(address, 1)]));
    report.equal(
      'answers to forged and to honest tokens before',
      (await askAll()).join(),
      '200,200,200,200',
    );

    const output = await lab.command(['keys', 'emergency']);
    const endedAt = performance.now();
    report.note(`edge-account keys emergency: ${output.trim()}`);
    const refusedAt = await until(async () => (await askAll()).every((status) => status === 401));
    report.limit(
      'refused by every instance after the command',
      (refusedAt - endedAt) / 1000,
      WITHIN,
    );
    await wait(LATER_MS);
    const [address = ''] = lab.addresses;
    const late = await call(`${address}${paths[0]}`, { token: forged[1] ?? '' });
    report.equal('a token that the thief dates after the emergency', late.status, 401);
    for (const one of lab.addresses)
      report.check(
        `the key is published no more at ${new URL(one).port}`,
        !(await readKids(one)).includes(kidOf(forged[0] ?? '')),
      );
    const token = await lab.operatorToken();
    const fresh = await Promise.all(
      lab.addresses.map((one) => call(`${one}${paths[0]}`, { token })),
    );
    report.equal('new tokens of the operator', fresh.map(({ status }) => status).join(), '200,200');
  },
};
export default drill;
