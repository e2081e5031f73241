/**
 * What operators of a network decide besides, through the API: a reward that is taken back, a
 * purchase that is paid back in part, money that is held and frozen, a draft of rules, an
 * application, an API, a price feed, a brand, and a webhook whose receiver wants no more messages.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand, type ServiceProcess } from '../../../service/test/support/service-process.ts';
import type { SeededAccount } from './seed-account.ts';
import { RULES_DRAFT } from './seed-activity.ts';
import type { SendAsOperator } from './seed-changes.ts';

const TRIES = 600;
const PAUSE_MS = 50;
/** The price of the seeded accounts. */
const PRICE = '0.1825';

/** The service works by itself and cannot notify this code. */
async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await isSo()) return;
    await wait(PAUSE_MS);
  }
  throw new Error(`${what}: it did not happen`);
}

/** A source of prices, and at each other path a receiver that is gone. */
async function openPartners(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/price')
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ last: PRICE }));
    else response.writeHead(410).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

async function takeMoneyBack(
  send: SendAsOperator,
  { account, friends }: SeededAccount,
): Promise<void> {
  const { results } = await send<{ results: { id?: number }[] }>('POST', '/transfers', {
    transfers: [
      {
        debit: { house: 'reward_pool' },
        credit: { user_id: account.userId, wallet: 'bonus' },
        ...{ currency: 'EDGE', amount: '40', business_id: 'reward', reward_type: 'BONUS' },
      },
    ],
  });
  const remark = 'Paid to the wrong person';
  await send('POST', `/transfers/${results[0]?.id}/reverse`, { remark });
  const purchase = await send<{ id: number }>('POST', '/purchases', {
    ...{ user_id: friends[0]?.userId, amount: '60', reference: 'order-1042', external: true },
  });
  const refund = { amount: '25', reference: 'order-1042-return' };
  await send('POST', `/purchases/${purchase.id}/refund`, refund);
}

/** Money that does not move: a frozen account, and a withdrawal that a business server holds. */
async function holdMoney(send: SendAsOperator, { friends }: SeededAccount): Promise<void> {
  const [first, , third] = friends.map(({ userId }) => userId);
  await send('POST', '/transfers', {
    transfers: [
      {
        debit: { house: 'treasury' },
        credit: { user_id: first, wallet: 'asset' },
        ...{ currency: 'USDT', amount: '100', business_id: 'adjustment' },
        remark: 'Prize of the raffle',
      },
    ],
  });
  const withdrawal = { currency: 'USDT', amount: '40', reference: 'card-77' };
  await send('POST', '/withdrawals', { user_id: first, ...withdrawal });
  await send('POST', `/users/${third}/freeze-money`, { reason: 'The bank asks about a transfer' });
}

/** A feed that brought a price; its address is one that is shown, which no server has. */
async function feedPrices(send: SendAsOperator, url: string): Promise<void> {
  const feed = { pointer: '/last', currency: 'EDGE', quote_currency: 'USDT', every_s: 86_400 };
  await send('PUT', '/price-feeds/exchange', { ...feed, url: `${url}/price` });
  await waitUntil('the feed brings a price', async () => {
    const feeds = await send<{ last_success_at?: string }[]>('GET', '/price-feeds');
    return feeds.some(({ last_success_at }) => last_success_at !== undefined);
  });
  await send('PUT', '/price-feeds/exchange', { ...feed, url: 'https://exchange.example/edge' });
}

/** A message that its receiver refuses: a dead letter. */
async function loseMessage(send: SendAsOperator, url: string): Promise<void> {
  const { id } = await send<{ id: number }>('POST', '/webhooks', {
    ...{ url: `${url}/hooks`, description: 'Former shop', event_types: ['payout.*'] },
  });
  await send('POST', `/webhooks/${id}/test`);
  await waitUntil('the message is given up', async () => {
    const { records } = await send<{ records: { state: string }[] }>(
      'GET',
      `/webhooks/${id}/deliveries?current=1&size=20`,
    );
    return records.some(({ state }) => state === 'dead');
  });
  await send('PATCH', `/webhooks/${id}`, { url: 'https://former-shop.example/hooks' });
}

/** The service may send to this machine. */
export async function seedDecisions(send: SendAsOperator, seeded: SeededAccount): Promise<void> {
  await takeMoneyBack(send, seeded);
  await holdMoney(send, seeded);
  await send('POST', '/rules', { rules: RULES_DRAFT });
  await send('PUT', '/resource-servers/orders', {
    ...{ name: 'Orders', audience: 'https://orders.example' },
    scopes: [{ name: 'orders:read', description: 'Read your orders' }],
  });
  await send('POST', '/clients', {
    ...{ client_id: 'weather', client_name: 'Weather', type: 'public' },
    ...{ redirect_uris: ['https://weather.example/back'], scopes: ['openid', 'devices:read'] },
  });
  const partners = await openPartners();
  try {
    await feedPrices(send, partners.url);
    await loseMessage(send, partners.url);
  } finally {
    partners.close();
  }
  await send('PUT', '/brand', {
    support_url: 'mailto:help@network.example',
    sign_in_text: {
      en: 'Sign in to see what your devices earn.',
      zh: '登录后即可查看设备的收益。',
    },
    mail_footer: { en: 'You get this mail because you have an account here.' },
  });
}

/** Verifies the books, and records the result. The service has an embedded database, and stops. */
export async function seedVerification(service: ServiceProcess): Promise<void> {
  await service.stop();
  const { code, stdout, stderr } = await runCommand(['verify', '--record'], service.env);
  if (code !== 0) throw new Error(`not verified: ${stdout}${stderr}`);
}
