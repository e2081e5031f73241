/**
 * Further data for pictures: deposits on a real chain, a webhook receiver that refuses, a draft of
 * rules.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expectOk } from '../../../service/test/demo/http-client.ts';
import { waitForCursor } from '../../../service/test/demo/make-deposit.ts';
import { DEMO_NETWORK, type DemoChain } from '../../../service/test/support/chains/demo-chain.ts';
import { buyPackage, decideDeposit, misreport, type Operator, payRewards } from './seed.ts';
import type { SeededAccount } from './seed-account.ts';

const TRIES = 200;
const PAUSE_MS = 50;

interface Deposit {
  readonly status: string;
  readonly confirmations: number;
}

/** The watcher polls by itself and cannot notify this code. */
async function waitForDeposit(
  baseUrl: string,
  token: string,
  isThere: (newest: Deposit | undefined) => boolean,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { records } = await expectOk<{ records: Deposit[] }>(
      `${baseUrl}/deposit/records?current=1&size=1`,
      { token },
    );
    if (isThere(records[0])) return;
    await wait(PAUSE_MS);
  }
  throw new Error('the deposit did not get so far');
}

/** One credited deposit, one with half of its confirmations, one on hold. */
async function deposit(
  operator: Operator,
  chain: DemoChain,
  { account }: SeededAccount,
): Promise<void> {
  const { baseUrl, token } = operator;
  const mine = { token: account.accessToken };
  await chain.configure(baseUrl, token);
  await waitForCursor(baseUrl, token);
  const { address } = await expectOk<{ address: string }>(
    `${baseUrl}/address/info?currency=USDT&currencyNetWork=${DEMO_NETWORK}`,
    mine,
  );
  await chain.pay(address, 250);
  for (let block = 0; block < chain.confirmations; block++) await chain.mine();
  await waitForDeposit(baseUrl, account.accessToken, (newest) => newest?.status === 'credited');
  await chain.pay(address, 40);
  for (let block = 0; block < chain.confirmations / 2; block++) await chain.mine();
  await waitForDeposit(baseUrl, account.accessToken, (newest) => newest?.status === 'confirming');
  await chain.pay(address, 15);
  await chain.mine();
  await waitForDeposit(baseUrl, account.accessToken, (newest) => newest?.confirmations === 1);
  const { records } = await expectOk<{ records: { id: number }[] }>(
    `${baseUrl}/deposit/records?current=1&size=1`,
    mine,
  );
  await decideDeposit(operator, records[0]?.id, 'hold');
}

/** A receiver that refuses everything: its messages become dead letters. */
async function fail({ baseUrl, token }: Operator, url: string): Promise<void> {
  const { id } = await expectOk<{ id: number }>(`${baseUrl}/operator/webhooks`, {
    token,
    body: { url, description: 'Bookkeeping', event_types: ['deposit.*'] },
  });
  await expectOk(`${baseUrl}/operator/webhooks/${id}/test`, { method: 'POST', token });
}

/** More for uptime, less for traffic: some users gain by it, some lose. */
export const RULES_DRAFT = {
  uptime: { amount: '0.55' },
  traffic: [{ category: '*', amount: '0.25' }],
  referral: [{ percent: '10', uptime_hours: 0, distinct_addresses: 0 }],
};

export async function seedActivity(
  operator: Operator,
  chain: DemoChain,
  receiverUrl: string,
  seeded: SeededAccount,
): Promise<void> {
  const { baseUrl, token } = operator;
  await deposit(operator, chain, seeded);
  await fail(operator, receiverUrl);
  await buyPackage(operator, seeded.friends[0]?.userId ?? 0, '0.43750625');
  await misreport(operator, seeded.devices[0]?.nodeId ?? '');
  await expectOk(`${baseUrl}/operator/rules`, { token, body: { rules: RULES_DRAFT } });
  await payRewards(operator, seeded.account.userId, [
    { amount: '12.5', reward_type: 'BONUS', event_at: new Date().toISOString() },
  ]);
}
