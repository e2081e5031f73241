/**
 * Random events of a chain: payments, blocks, reorganisations that drop, move and replace
 * transactions.
 */
import type { Anvil, Hex } from './anvil.ts';
import type { Random } from './random.ts';

export interface Life {
  readonly anvil: Anvil;
  readonly random: Random;
  /** Contracts of the tokens. */
  readonly tokens: readonly Hex[];
  /** Receivers; some of them are no deposit addresses. */
  readonly receivers: readonly Hex[];
  readonly depthMax: number;
}

const PAYMENTS_MAX = 5;
const UNIT = 250_000n;

async function payOnce({ anvil, random, tokens, receivers }: Life, sender: Hex): Promise<void> {
  const to = random.pick(receivers);
  const amount = BigInt(random.below(20)) * UNIT;
  const common = { from: sender, gasPrice: 10n ** 11n };
  const kind = random.below(4);
  const token = random.pick(tokens);
  if (kind === 0) await anvil.send({ ...common, to, value: amount });
  else if (kind === 1)
    await anvil.send({ ...common, to: token, data: anvil.encode('pay', [to, amount]) });
  else if (kind === 2)
    await anvil.send({
      ...common,
      to: token,
      data: anvil.encode('payMany', [
        [to, random.pick(receivers), to],
        [amount, amount + UNIT, UNIT],
      ]),
    });
  else await anvil.send({ ...common, to: token, data: anvil.encode('payAndRevert', [to, amount]) });
}

async function rawOfLast(anvil: Anvil, blocks: number): Promise<Hex[]> {
  const height = await anvil.height();
  const raws: Hex[] = [];
  for (let at = Math.max(1, height - blocks + 1); at <= height; at++) {
    const block = await anvil.call<{ transactions: Hex[] }>('eth_getBlockByNumber', [
      `0x${at.toString(16)}`,
      false,
    ]);
    for (const hash of block.transactions) raws.push(await anvil.rawOf(hash));
  }
  return raws;
}

/**
 * Replaces the last blocks: each of their transactions is sent again, dropped, or replaced.
 */
async function reorganise(life: Life): Promise<void> {
  const { anvil, random, depthMax } = life;
  const depth = Math.min(1 + random.below(depthMax), (await anvil.height()) - 2);
  if (depth < 1) return;
  const raws = await rawOfLast(anvil, depth);
  await anvil.rollback(depth);
  // A payment from the same account first takes the nonce, and moves the logs of the others.
  if (random.chance(0.5)) await payOnce(life, random.pick(anvil.accounts));
  for (const raw of raws) {
    // Refused if its nonce is used: replaced.
    if (random.chance(0.7)) await anvil.sendRaw(raw).catch(() => undefined);
    if (random.chance(0.2)) await anvil.mine();
  }
  // At least as long as the chain that it replaces.
  await anvil.mine(depth + random.below(2));
}

/** One round. */
export async function liveOneRound(life: Life): Promise<void> {
  const { anvil, random } = life;
  if (random.chance(0.45)) await reorganise(life);
  for (let payments = random.below(PAYMENTS_MAX); payments > 0; payments--)
    await payOnce(life, random.pick(anvil.accounts));
  await anvil.mine(1 + random.below(3));
}
