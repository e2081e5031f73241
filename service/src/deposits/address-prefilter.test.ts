import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDepositBench, type DepositBench } from '../../test/support/chains/deposit-bench.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { type Database, transaction } from '../db/index.ts';
import { AddressPrefilter } from './address-prefilter.ts';

const WALLETS = 3;

/** Inserts addresses of several account keys, as if they had been issued. */
async function insertAddresses(database: Database, from: number, to: number): Promise<void> {
  await transaction(database, async (tx) => {
    await tx.query(
      `insert into deposit_wallet (family, xpub, created_at)
       select 'made', 'w' || n, now() from generate_series(1, $1::int) n on conflict do nothing`,
      [WALLETS],
    );
    await tx.query(
      `insert into deposit_address
         (user_id, wallet_id, family, derivation_index, address, address_key, created_at)
       select u.id, w.id, 'made', n, key, key, now()
       from deposit_wallet w cross join generate_series($1::int, $2::int) n
       cross join lateral (select 'made' || w.xpub || '-' || n as key) k
       join app_user u on u.nickname = 'made' || n
       where w.family = 'made'`,
      [from, to],
    );
    await tx.query("update deposit_wallet set next_index = $1::int + 1 where family = 'made'", [
      to,
    ]);
  });
}

describe.each(ENGINES)('the prefilter of addresses on %s', (engine) => {
  let database: Database;
  let bench: DepositBench;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    bench = createDepositBench(database);
    await bench.configure(['http://127.0.0.1:1']);
    await database.query(
      `insert into app_user (email, email_key, nickname, referral_code, created_at)
       select 'm' || n, 'm' || n, 'made' || n, 'M' || n, now() from generate_series(0, 99) n`,
    );
  });
  afterAll(() => database.close());

  test('passes every address that was issued before it was asked', async () => {
    const prefilter = new AddressPrefilter(database, 'evm');
    for (let issued = 0; issued < 5; issued++) {
      const { address } = await bench.addPerson();
      await prefilter.refresh();
      expect(prefilter.mayContain(address.toLowerCase())).toBe(true);
    }
  });

  test('loads all account keys of its family, and continues after an interruption', async () => {
    const { address } = await bench.addPerson();
    const prefilter = new AddressPrefilter(database, 'made');
    const passing = (to: number): number[] =>
      Array.from(
        { length: WALLETS },
        (_, w) =>
          Array.from({ length: to + 1 }, (_, n) => `madew${w + 1}-${n}`).filter((key) =>
            prefilter.mayContain(key),
          ).length,
      );
    await prefilter.refresh();
    expect(passing(99)).toEqual([0, 0, 0]);
    await insertAddresses(database, 0, 59);
    await prefilter.refresh();
    expect(passing(59)).toEqual([60, 60, 60]);
    await insertAddresses(database, 60, 99);
    await Promise.all([prefilter.refresh(), prefilter.refresh()]);
    expect(passing(99)).toEqual([100, 100, 100]);
    expect(prefilter.mayContain(address.toLowerCase())).toBe(false);
  });
});

test('an address issued while the prefilter loads passes after the next refresh', async () => {
  const database = await openTestDatabase('server');
  await createDepositBench(database).configure(['http://127.0.0.1:1']);
  const prefilter = new AddressPrefilter(database, 'evm');
  await database.query(
    `insert into app_user (email, email_key, nickname, referral_code, created_at)
     values ('s', 's', 's', 'S', now())`,
  );
  await transaction(database, async (tx) => {
    await tx.query("update deposit_wallet set next_index = next_index + 1 where family = 'evm'");
    await tx.query(
      `insert into deposit_address
         (user_id, wallet_id, family, derivation_index, address, address_key, created_at)
       select app_user.id, deposit_wallet.id, 'evm', next_index - 1, '0xlate', '0xlate', now()
       from deposit_wallet, app_user where deposit_wallet.family = 'evm'`,
    );
    await prefilter.refresh();
    expect(prefilter.mayContain('0xlate')).toBe(false);
  });
  await prefilter.refresh();
  expect(prefilter.mayContain('0xlate')).toBe(true);
  await database.close();
});

test('a load that failed throws, and the next attempt loads', async () => {
  const database = await openTestDatabase('server');
  let isDown = true;
  const failing: Database = Object.assign(Object.create(database) as Database, {
    prepared: (...args: Parameters<Database['prepared']>) =>
      isDown ? Promise.reject(new Error('no database')) : database.prepared(...args),
  });
  const prefilter = new AddressPrefilter(failing, 'evm');
  await expect(prefilter.refresh()).rejects.toThrow('no database');
  isDown = false;
  await expect(prefilter.refresh()).resolves.toBeUndefined();
  await database.close();
});
