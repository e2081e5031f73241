/** A halted network that is resumed from a named block. */
import { describe, expect, test } from 'vitest';
import { clock } from '../../test/support/chains/deposit-bench.ts';
import { ONE_USDT, useEvmLab } from '../../test/support/chains/evm-lab.ts';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { haltByOperator, resumeChain } from './resume-chain.ts';

const WINDOW = 20;

describe.each(RUN_ENGINES)('a halted network on %s', (engine) => {
  const lab = useEvmLab({ engine, settings: { reorgWindow: WINDOW } });

  test('a network halted beyond the window resumes from a named block', async () => {
    const hash = await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(WINDOW + 5);
    await lab.bench.settle();
    const height = await lab.anvil.height();
    const raw = await lab.anvil.rawOf(hash);
    await lab.anvil.rollback(WINDOW + 5);
    await lab.anvil.mine(2);
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(WINDOW + 10);
    await lab.bench.settle();
    const halted = await lab.bench.state();
    expect(halted).toMatchObject({
      cursor_height: height,
      halted_reason: expect.stringContaining(`deeper than the ${WINDOW} blocks`),
    });
    await lab.anvil.mine(5);
    await lab.bench.settle();
    expect(await lab.bench.state()).toEqual(halted);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    const sure = await lab.anvil.call<{ hash: string }>('eth_getBlockByNumber', ['0x1', false]);
    const resume = async (named: { height: number; hash: string }) =>
      resumeChain(
        lab.database,
        { network: await lab.bench.network(), clock, masterKey: testMasterKey },
        named,
      );
    // A mistyped digit changes nothing.
    await expect(resume({ height: 1, hash: `0x${'22'.repeat(32)}` })).rejects.toMatchObject({
      code: 'block_mismatch',
      message: expect.stringContaining(sure.hash),
    });
    await expect(resume({ height: 2, hash: sure.hash })).rejects.toMatchObject({
      code: 'block_mismatch',
    });
    await expect(resume({ height: height + 1, hash: sure.hash })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
    expect(await lab.bench.state()).toEqual(halted);
    await resume({ height: 1, hash: sure.hash.toUpperCase().replace('0X', '0x') });
    await lab.bench.settle();
    expect(await lab.bench.state()).toMatchObject({
      cursor_height: await lab.anvil.height(),
      halted_reason: null,
    });
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'credited', epoch: 2 }]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    const types = (await lab.bench.eventTypes()).filter((type) => type.startsWith('chain.'));
    expect(types).toEqual(['chain.halted', 'chain.resumed', 'chain.backfilled']);
    await expect(resume({ height: 1, hash: sure.hash })).rejects.toMatchObject({
      code: 'chain_not_halted',
    });
  });

  test('no network resumes above a replaced deposit; doubtful blocks are read again', async () => {
    const resume = async (named: { height: number; hash: string }) =>
      resumeChain(
        lab.database,
        { network: await lab.bench.network(), clock, masterKey: testMasterKey },
        named,
      );
    const blockAt = async (height: number) => ({
      height,
      hash: (
        await lab.anvil.call<{ hash: string }>('eth_getBlockByNumber', [
          `0x${height.toString(16)}`,
          false,
        ])
      ).hash,
    });
    await lab.payUsdt(lab.alice.address, 2n * ONE_USDT);
    await lab.anvil.mine(6);
    const kept = (await lab.anvil.height()) - 5;
    await lab.payUsdt(lab.alice.address, 3n * ONE_USDT);
    await lab.anvil.mine(WINDOW + 5);
    await lab.bench.settle();
    const height = await lab.anvil.height();
    await lab.anvil.rollback(WINDOW + 8);
    await lab.payUsdt(lab.alice.address, 4n * ONE_USDT);
    await lab.anvil.mine(WINDOW + 12);
    await lab.bench.settle();
    const sure = await blockAt(kept);
    for (const at of [height, kept + 6]) {
      await expect(resume(await blockAt(at))).rejects.toMatchObject({
        code: 'block_mismatch',
        details: { extra: { replaced_height: kept + 6, sure_hash: sure.hash } },
      });
    }
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    // The block exists, and blocks below it were replaced while halted: they are read.
    await resume(await blockAt(kept + 5));
    await lab.bench.settle();
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'credited',
      'reversed',
      'credited',
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(6n * ONE_USDT);
    // Halted by hand without an error, resumed at the cursor; then a block is replaced.
    await haltByOperator(
      lab.database,
      { network: await lab.bench.network(), clock },
      'a look at the nodes',
    );
    expect(await lab.bench.state()).toMatchObject({ halted_reason: 'a look at the nodes' });
    await resume(await blockAt(await lab.anvil.height()));
    await lab.anvil.mine(1);
    await lab.bench.settle();
    await lab.anvil.rollback(1);
    await lab.anvil.mine(2);
    await lab.bench.settle();
    expect(await lab.bench.state()).toMatchObject({
      cursor_height: await lab.anvil.height(),
      halted_reason: null,
    });
  });
});
