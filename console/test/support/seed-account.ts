/** The seeded account of one user: devices, a month of earnings, a community. */

import {
  type Account,
  addDevice,
  buyPackage,
  dailyRewards,
  type Operator,
  openOperator,
  payRewards,
  type SeededDevice,
  setPrice,
  signUpByApi,
} from './seed.ts';
import { newPerson, type Person } from './user-flows.ts';

export interface SeededAccount {
  readonly person: Person;
  readonly account: Account;
  readonly devices: readonly SeededDevice[];
  /** The users that they referred. */
  readonly friends: readonly Account[];
}

type Service = { readonly baseUrl: string; readonly dataDir: string };

/** A user with two devices and three referrals, without money. */
export async function seedPerson(
  { baseUrl }: Service,
  person: Person = newPerson('Ada'),
): Promise<SeededAccount> {
  const account = await signUpByApi(baseUrl, person);
  const devices = [
    await addDevice(baseUrl, account.accessToken, {
      device_type: 'TERMINAL',
      browser: 'Edge Terminal',
      os: 'Debian 13',
    }),
    await addDevice(baseUrl, account.accessToken, {
      device_type: 'EXTENSION',
      browser: 'Chrome',
      os: 'Windows 11',
    }),
  ];
  const friends: Account[] = [];
  for (const nickname of ['Grace', 'Linus', 'Margaret'])
    friends.push(await signUpByApi(baseUrl, newPerson(nickname), account.referralCode));
  return { person, account, devices, friends };
}

/** The reward currency gets a new price. */
export const seedPrice = (operator: Operator): Promise<void> =>
  setPrice(operator, 'EDGE', '0.1825');

/** The reward currency gets a price, and each referral buys a package. */
export async function seedPrices(operator: Operator, { friends }: SeededAccount): Promise<void> {
  await seedPrice(operator);
  for (const { userId } of friends) await buyPackage(operator, userId, '120');
}

export async function seedAccount(service: Service): Promise<SeededAccount> {
  const operator = await openOperator(service);
  const seeded = await seedPerson(service);
  const { account, devices } = seeded;
  const nodeIds = devices.map(({ nodeId }) => nodeId);
  await payRewards(operator, account.userId, dailyRewards(Date.now(), nodeIds, 30));
  await seedPrices(operator, seeded);
  return seeded;
}
