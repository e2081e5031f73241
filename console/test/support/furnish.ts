/** One person's furnished account: devices, a month of earnings, a community. */
import { newPerson, type Person } from './journey.ts';
import { type Account, addDevice, buyPackage, monthOfRewards, openOperator, payRewards, type SeededDevice, setPrice, signUpByApi } from './seed.ts';

export interface Furnished {
  readonly person: Person;
  readonly account: Account;
  readonly devices: readonly SeededDevice[];
}

export async function furnish(service: { readonly baseUrl: string; readonly dataDir: string }): Promise<Furnished> {
  const { baseUrl } = service;
  const operator = await openOperator(service);
  const person = newPerson('Ada');
  const account = await signUpByApi(baseUrl, person);
  const devices = [
    await addDevice(baseUrl, account.accessToken, { browser: 'Edge Terminal', os: 'Debian 13' }),
    await addDevice(baseUrl, account.accessToken, { browser: 'Chrome', os: 'Windows 11' }),
  ];
  await setPrice(operator, 'EDGE', '0.1825');
  await payRewards(
    operator,
    account.userId,
    monthOfRewards(
      Date.now(),
      devices.map((device) => device.nodeId),
    ),
  );
  for (const nickname of ['Grace', 'Linus', 'Margaret']) {
    const friend = await signUpByApi(baseUrl, newPerson(nickname), account.referralCode);
    await buyPackage(operator, friend.userId, '120');
  }
  return { person, account, devices };
}
