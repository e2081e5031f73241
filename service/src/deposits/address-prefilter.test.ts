import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDepositBench, type DepositBench } from '../../test/support/chains/deposit-bench.ts';
import { createRandom } from '../../test/support/chains/random.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { type Database, transaction } from '../db/index.ts';
import { createAddressSieve } from './address-prefilter.ts';
import { createFingerprintSet } from './fingerprint-set.ts';

const ISSUED = 50_000;
const WALLETS = 3;

/** Addresses of several wallets at once, as if they had been issued. */
async function insertAddresses(database: Database, from: number, to: number): Promise<void> {
  await transaction(database, async (tx) => {
    await tx.query(
      "insert into deposit_wallet (family, xpub, created_at) select 'made', 'w' || n, now() from generate_series(1, $1::int) n on conflict do nothing",
      [WALLETS],
    );
    await tx.query(
      `insert into deposit_address (user_id, wallet_id, family, derivation_index, address, address_key, created_at)
       select u.id, w.id, 'made', n, 'made' || w.xpub || '-' || n, 'made' || w.xpub || '-' || n, now()
       from deposit_wallet w, generate_series($1::int, $2::int) n join lateral (select id from app_user where nickname = 'made' || n) u on true
       where w.family = 'made'`,
      [from, to],
    );
    await tx.query("update deposit_wallet set next_index = $1::int + 1 where family = 'made'", [
      to,
    ]);
  });
}

describe.each(ENGINES)('the sieve of addresses on %s', (engine) => {
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

  test('lets through every address that was issued before it was asked to look', async () => {
    const sieve = createAddressSieve(database, 'evm');
    for (let issued = 0; issued < 5; issued++) {
      const { address } = await bench.addPerson();
      await sieve.refresh();
      expect(sieve.mightBeOurs(address.toLowerCase())).toBe(true);
    }
  });

  test('takes in all wallets of its family, from where it stopped, and no other family', async () => {
    const { address } = await bench.addPerson();
    const sieve = createAddressSieve(database, 'made');
    const passing = (to: number): number[] =>
      Array.from(
        { length: WALLETS },
        (_, w) =>
          Array.from({ length: to + 1 }, (_, n) => `madew${w + 1}-${n}`).filter((key) =>
            sieve.mightBeOurs(key),
          ).length,
      );
    await sieve.refresh();
    expect(passing(99)).toEqual([0, 0, 0]);
    await insertAddresses(database, 0, 59);
    await sieve.refresh();
    expect(passing(59)).toEqual([60, 60, 60]);
    await insertAddresses(database, 60, 99);
    await Promise.all([sieve.refresh(), sieve.refresh()]);
    expect(passing(99)).toEqual([100, 100, 100]);
    expect(sieve.mightBeOurs(address.toLowerCase())).toBe(false);
  });
});

test('an address that is being issued while the sieve looks passes at the next look', async () => {
  const database = await openTestDatabase('server');
  await createDepositBench(database).configure(['http://127.0.0.1:1']);
  const sieve = createAddressSieve(database, 'evm');
  await database.query(
    "insert into app_user (email, email_key, nickname, referral_code, created_at) values ('s', 's', 's', 'S', now())",
  );
  await transaction(database, async (tx) => {
    await tx.query("update deposit_wallet set next_index = next_index + 1 where family = 'evm'");
    await tx.query(
      `insert into deposit_address (user_id, wallet_id, family, derivation_index, address, address_key, created_at)
       select app_user.id, deposit_wallet.id, 'evm', next_index - 1, '0xlate', '0xlate', now() from deposit_wallet, app_user where deposit_wallet.family = 'evm'`,
    );
    await sieve.refresh();
    expect(sieve.mightBeOurs('0xlate')).toBe(false);
  });
  await sieve.refresh();
  expect(sieve.mightBeOurs('0xlate')).toBe(true);
  await database.close();
});

test('a sieve that could not look says so, and looks again', async () => {
  const database = await openTestDatabase('server');
  let isDown = true;
  const failing: Database = Object.assign(Object.create(database) as Database, {
    prepared: (...args: Parameters<Database['prepared']>) =>
      isDown ? Promise.reject(new Error('no database')) : database.prepared(...args),
  });
  const sieve = createAddressSieve(failing, 'evm');
  await expect(sieve.refresh()).rejects.toThrow('no database');
  isDown = false;
  await expect(sieve.refresh()).resolves.toBeUndefined();
  await database.close();
});

test('fingerprints forget nothing, and let few strangers pass', () => {
  const random = createRandom(7);
  const addressOf = (): string =>
    `0x${Array.from({ length: 40 }, () => random.below(16).toString(16)).join('')}`;
  const set = createFingerprintSet();
  const added = Array.from({ length: ISSUED }, addressOf);
  for (const address of added) set.add(address);
  expect(added.filter((address) => !set.mayHave(address))).toEqual([]);
  const strangers = Array.from({ length: ISSUED }, addressOf);
  expect(strangers.filter((address) => set.mayHave(address)).length).toBeLessThan(ISSUED / 1000);
});
