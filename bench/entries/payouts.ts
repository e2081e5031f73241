import type { BenchEntry } from '../harness/entry.ts';
import { withProcessorTime } from '../harness/processor-time.ts';
import { sized } from '../harness/sizes.ts';
import { openPayoutLab } from '../support/payout-lab.ts';

const COUNT = sized(1000, 100);

const entry: BenchEntry = {
  name: 'payouts',
  summary:
    `${COUNT.toLocaleString('en')} payouts, each approved by passkey, from approved to sent: ` +
    'taken, verified, signed, reported and sent to anvil, beside viem signing and sending the ' +
    'same transactions one after the other',
  unit: 'payouts/s',
  operation: 'payout',
  goal: { ratio: 0.7, is: 'at least' },
  rounds: 3,
  warmUps: 0,
  async open() {
    const lab = await openPayoutLab();
    // The service and the signer are in this process.
    const processes = { service: process.pid, postmaster: lab.postmaster };
    const measure = (work: () => Promise<void>) =>
      withProcessorTime(processes, async () => {
        const start = performance.now();
        await work();
        return { figure: (COUNT * 1000) / (performance.now() - start), operations: COUNT };
      });
    return {
      async ours() {
        await lab.approve(COUNT);
        const measured = await measure(() => lab.pay(COUNT));
        await lab.mine();
        return measured;
      },
      async anchor() {
        const measured = await measure(() => lab.payBare(COUNT));
        await lab.mine();
        return measured;
      },
      close: () => lab.close(),
    };
  },
};

export default entry;
