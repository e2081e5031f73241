/** Payouts for pictures: addresses, one of them new, and requests in several statuses. */
import { join } from 'node:path';
import { openEmbedded } from '../../../service/src/db/index.ts';
import { expectOk } from '../../../service/test/demo/http-client.ts';
import { DEMO_NETWORK } from '../../../service/test/support/chains/demo-chain.ts';
import type { ServiceProcess } from '../../../service/test/support/service-process.ts';
import { PAYEE, putPolicy, RULE } from './payouts.ts';
import { openOperator } from './seed.ts';
import type { SeededAccount } from './seed-account.ts';

const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

async function endQuarantine(service: ServiceProcess): Promise<void> {
  await service.stop();
  const database = await openEmbedded({ directory: join(service.dataDir, 'database') });
  try {
    await database.query('update payout_address set usable_at = created_at');
    await database.query(`update security_event set created_at = created_at - interval '1 day'`);
  } finally {
    await database.close();
  }
  await service.start();
}

export async function seedPayouts(
  service: ServiceProcess,
  { account }: SeededAccount,
): Promise<void> {
  const { baseUrl } = service;
  const token = account.accessToken;
  await putPolicy(await openOperator(service), { ...RULE, email_only_day_max: '200' });
  const add = (address: string, label: string): Promise<{ id: number }> =>
    expectOk(`${baseUrl}/me/payout-addresses`, {
      token,
      body: { network: DEMO_NETWORK, address, label },
    });
  const { id } = await add(PAYEE, 'Cold wallet');
  await endQuarantine(service);
  await add(OTHER, 'Exchange');
  const request = (amount: string): Promise<{ id: number }> =>
    expectOk(`${baseUrl}/payouts`, {
      token,
      body: { wallet: 'asset', currency: 'USDT', amount, address_id: id },
      headers: { 'idempotency-key': crypto.randomUUID() },
    });
  const cancelled = await request('12');
  await expectOk(`${baseUrl}/payouts/${cancelled.id}/cancel`, {
    method: 'POST',
    token,
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  await request('61.5');
  await request('30');
}
