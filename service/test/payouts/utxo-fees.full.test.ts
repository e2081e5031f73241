/** The highest fee rate of the configuration is raised while payouts are under way. */
import { describe, expect, test } from 'vitest';
import { litecoinMissing } from '../support/chains/litecoin.ts';
import { CONFIRMATIONS } from '../support/payout-chain-types.ts';
import { useUtxoLab } from '../support/payout-utxo-lab.ts';

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

const CHEAP = { fee_rate_max: 20 };
const DEAR = { fee_rate_max: 2000, fee_rate_min: 1000 };
const WAIT_MS = 2_000_000;

describe.skipIf(litecoinMissing !== undefined)('a fee rate that was raised, on UTXO', () => {
  const lab = useUtxoLab();

  /** A signer with another configuration, later; and what it logs. */
  async function openLater(changes: object) {
    const events: string[] = [];
    const signer = lab.open({
      now: () => Date.now() + WAIT_MS,
      config: lab.config({ head_age_max_s: 10_000, ...changes }),
      log: (event) => void events.push(event),
    });
    return { signer, events };
  }

  async function pay(amount: string): Promise<number> {
    const id = await lab.approved(amount);
    const signer = lab.open({ config: lab.config(CHEAP) });
    await signer.cycle();
    signer.close();
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    return id;
  }

  test('coins that do not suffice for it hold up no other payout', async () => {
    await lab.fund(3, 1);
    // What arrives leaves less than the fee at the new rate.
    const id = await pay('3.0099');
    const { signer, events } = await openLater(DEAR);
    await signer.start();
    const other = await lab.approved('0.3');
    await signer.cycle();
    expect(events).toContain('replacement_over_coins');
    expect(signer.deps.state.listSigned(id)).toHaveLength(1);
    signer.close();
    expect(await lab.read(other)).toMatchObject({ status: 'sent' });
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
  });

  test('a replacement counts in the budget for fees', async () => {
    await lab.fund(5);
    const id = await pay('2');
    const poor = await openLater({ ...DEAR, fee_budget_day: '5000' });
    await poor.signer.cycle();
    expect(poor.events).toContain('replacement_over_budget');
    expect(poor.signer.deps.state.listSigned(id)).toHaveLength(1);
    poor.signer.close();
    const { signer } = await openLater(DEAR);
    await signer.cycle();
    const [last] = signer.deps.state.listSigned(id);
    expect(last?.rate).toBe(1000);
    expect(signer.deps.state.find(id)?.fee_max).toBe(last?.fee);
    signer.close();
  });
});
