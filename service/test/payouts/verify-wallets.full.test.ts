/** `edge-account verify --chains`: the hot wallet on its chain, compared with the ledger. */

import { beforeEach, describe, expect, inject, test } from 'vitest';
import { voidNonce } from '../../../signer/src/void-nonce.ts';
import { postTransfers } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { verifyWallets } from '../../src/payouts/index.ts';
import { NETWORK } from '../support/chains/deposit-bench.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { ETH, HOT_KEY, HOT_WALLET, WINDOW } from '../support/payout-chain-types.ts';
import { runCommandHere } from '../support/run-command.ts';
import type { CommandResult } from '../support/service-process.ts';
import { testMasterKey, testMasterKeyBytes } from '../support/test-config.ts';

// Commands of another process need a database server.
describe('edge-account verify --chains', () => {
  const lab = useChainLab('server');

  /** The operator's posting when the hot wallet is funded. */
  async function postFunding(currency: string, amount: bigint): Promise<void> {
    const [result] = await postTransfers(lab.database, [
      {
        ...{ idempotencyKey: `funding/${currency}`, currency, amount, mayOverdraw: true },
        debit: { house: 'withdrawal_clearing' },
        credit: { house: 'deposit_clearing' },
        businessId: 'adjustment',
        eventAt: systemClock.now(),
      },
    ]);
    expect(result?.status).toBe('posted');
  }

  async function run(args: readonly string[], wallets: string): Promise<CommandResult> {
    const { rows } = await lab.database.query<{ name: string }>(
      'select current_database() as name',
    );
    const url = new URL(inject('postgresUrl'));
    url.pathname = `/${rows[0]?.name}`;
    return runCommandHere(args, {
      DATABASE_URL: url.href,
      MASTER_KEY: testMasterKeyBytes.toString('hex'),
      PAYOUT_WALLETS: wallets,
    });
  }

  const verify = (wallets = `${NETWORK}=${HOT_WALLET}`): Promise<CommandResult> =>
    run(['verify', '--chains'], wallets);

  const agrees = {
    code: 0,
    stdout: expect.stringContaining('1 hot wallets, 2 currencies: as the ledger says'),
  };

  beforeEach(async () => {
    await postFunding('ETH', 100n * ETH);
    await postFunding('USDT', 1_000_000_000n);
    // The users of the fixture are not in the referral tree.
    await run(['community', 'rebuild'], '');
  });

  test('they agree before, during and after payouts, also over a reorganisation', async () => {
    expect(await verify()).toMatchObject(agrees);
    const ids = [await lab.approved('2'), await lab.approved('6', 'USDT')];
    const signer = lab.open();
    await signer.start();
    await signer.cycle();
    expect(await verify()).toMatchObject(agrees);
    await lab.anvil.mine();
    // In a block that is not deep enough to be settled.
    expect(await verify()).toMatchObject(agrees);
    await lab.anvil.mine(2);
    await lab.follow();
    for (const id of ids) expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await verify()).toMatchObject(agrees);
    await lab.anvil.rollback(3);
    await lab.anvil.mine(4);
    await lab.follow();
    for (const id of ids) expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    // Settled, and in no block.
    expect(await verify()).toMatchObject(agrees);
    signer.close();
  });

  test('a network that has paid, and whose wallet is forgotten, is named', async () => {
    const forget = async () => (await verifyWallets(lab.database, testMasterKey, [])).problems;
    await lab.approved('2');
    expect(await forget()).toEqual([]);
    const signer = lab.open();
    await signer.cycle();
    signer.close();
    expect(await forget()).toEqual([`no hot wallet of ${NETWORK} is named, and it has paid`]);
  });

  test('an outgoing transfer without a payout is found', async () => {
    await lab.anvil.call('anvil_impersonateAccount', [HOT_WALLET]);
    await lab.anvil.call('eth_sendTransaction', [
      { from: HOT_WALLET, to: lab.anvil.accounts[1], value: '0x1', gas: '0x5208' },
    ]);
    await lab.anvil.mine();
    await lab.anvil.call('anvil_stopImpersonatingAccount', [HOT_WALLET]);
    const result = await verify();
    expect(result).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /wallets: the hot wallets hold 99\.99\d+ ETH, the ledger says 100 ETH/,
      ),
    });
    expect(result.stdout).not.toContain('USDT');
  });

  const bookFee = (hash: string, wallets = `${NETWORK}=${HOT_WALLET}`): Promise<CommandResult> =>
    run(['payouts', 'book-fee', NETWORK, hash], wallets);

  test('the fee of a transaction that pays nothing is booked once, when it is final', async () => {
    const hash = await voidNonce({ config: lab.config(), key: HOT_KEY, nonce: 0 });
    expect(await bookFee(hash)).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining(`no block of ${NETWORK} contains`) },
    });
    await lab.anvil.mine();
    expect(await bookFee(hash)).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('is not final yet') },
    });
    expect(await verify()).toMatchObject({ code: 1 });
    await lab.anvil.mine(WINDOW);
    for (const words of ['booked', 'were booked before'])
      expect(await bookFee(hash)).toMatchObject({
        ...{ code: 0, stdout: expect.stringMatching(new RegExp(`^0\\.\\d+ ETH ${words}\n$`)) },
      });
    expect(await verify()).toMatchObject(agrees);
  });

  test('attack: a payment, of a payout or not, is not booked as a fee', async () => {
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    signer.close();
    await lab.anvil.mine(WINDOW + 1);
    const { tx_hash } = await lab.read(id);
    expect(await bookFee(String(tx_hash))).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('to itself') },
    });
    expect(await bookFee(String(tx_hash), '')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('PAYOUT_WALLETS') },
    });
  });

  test('an unknown wallet is named', async () => {
    expect(await verify(`NOWHERE=${HOT_WALLET}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('NOWHERE'),
    });
    expect(await verify(`${NETWORK}=0x12`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('0x12'),
    });
    expect(await verify('')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('set PAYOUT_WALLETS'),
    });
  });
});
