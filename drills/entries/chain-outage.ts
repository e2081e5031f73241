/** The node of a chain falls silent while a deposit is paid; then it answers again. */
import { setTimeout as wait } from 'node:timers/promises';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { DEMO_NETWORK, startDemoChain } from '../../service/test/support/chains/demo-chain.ts';
import type { Drill } from '../harness/drill.ts';
import { checkAlerts, scrape } from '../support/alerts.ts';
import { openPostgresHome } from '../support/cluster.ts';
import { openLab } from '../support/lab.ts';
import { until } from '../support/load.ts';

const AMOUNT = 25;
const STALLED_WITHIN = { atMost: 120, unit: 's' };
const CREDITED_WITHIN = { atMost: 30, unit: 's' };
const STALLED_EXIT = 4;

interface Deposits {
  readonly records: readonly { readonly status: string; readonly amount: number }[];
}

const drill: Drill = {
  name: 'chain-outage',
  summary: 'the RPC endpoint of a chain is silent while a deposit is paid: it is credited, once',
  guide: 'runbooks.md#edgeaccountchainstalled',
  isLong: true,
  async run(report) {
    const home = openPostgresHome();
    report.closing(() => home.remove());
    const cluster = await home.create('primary');
    const chain = await startDemoChain();
    report.closing(() => chain.stop());
    const lab = await openLab(report, cluster, { env: { OUTGOING_LOOPBACK: 'allow' } });
    const [address = ''] = lab.addresses;
    const token = await lab.operatorToken();
    const person = { token: lab.people[0]?.accessToken ?? '' };
    await chain.configure(address, token);
    const query = `currency=USDT&currencyNetWork=${DEMO_NETWORK}`;
    const to = await expectOk<{ address: string }>(`${address}/address/info?${query}`, person);
    const status = (): Promise<string> => scrape({ address, token });
    await until(async () => /chain_cursor_height\{network="LOCALNET"\} \d/.test(await status()));
    const before = await status();

    chain.freeze();
    const frozenAt = performance.now();
    const stalledAt = await until(
      async () => /chain_stalled\{network="LOCALNET"\} 1/.test(await status()),
      500,
    );
    report.limit('reported as stalled after', (stalledAt - frozenAt) / 1000, STALLED_WITHIN);
    await lab.command(['chains', 'status'], STALLED_EXIT);
    report.check(`edge-account chains status ends with ${STALLED_EXIT}`, true);
    await checkAlerts(report, ['EdgeAccountChainStalled'], [before, await status()]);
    report.equal('/readyz meanwhile', (await fetch(`${address}/readyz`)).status, 200);

    chain.thaw();
    const backAt = performance.now();
    await chain.pay(to.address, AMOUNT);
    for (let block = 0; block < chain.confirmations; block++) await chain.mine();
    const read = () => expectOk<Deposits>(`${address}/deposit/records?current=1&size=20`, person);
    const creditedAt = await until(async () => (await read()).records[0]?.status === 'credited');
    report.limit(
      'a deposit is credited after it is back',
      (creditedAt - backAt) / 1000,
      CREDITED_WITHIN,
    );
    await wait(2000);
    report.equal('deposits', (await read()).records.length, 1);
    const [wallet] = await expectOk<{ balance: number }[]>(
      `${address}/account/info?currency=USDT`,
      person,
    );
    report.equal('the wallet has USDT', wallet?.balance ?? 0, AMOUNT);
    await lab.command(['verify', '--from-genesis']);
    report.check('verify --from-genesis agrees', true);
  },
};
export default drill;
