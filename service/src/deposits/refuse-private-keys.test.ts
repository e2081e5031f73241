/**
 * With a private key anywhere in the stored settings the service does not start, and no request can
 * store one.
 */
import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDepositBench } from '../../test/support/chains/deposit-bench.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import { PRIVATE_KEYS } from '../../test/support/private-keys.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';
import { systemClock } from '../lib/clock.ts';
import { configureNetwork, type NetworkSettings } from './configure-network.ts';
import { encryptUrls } from './encrypted-urls.ts';
import { refuseStoredPrivateKeys } from './refuse-private-keys.ts';

const RAW_KEY = PRIVATE_KEYS['a private key of an EVM account'] ?? '';
/** A private key with the prefix `xpub`. */
const DISGUISED = HDKey.fromMasterSeed(Buffer.alloc(32, 5), {
  private: 0x0488b21e,
  public: 0x0488b21f,
}).privateExtendedKey;

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase('server');
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query(
    `update network set wallet_id = null, rpc_urls_sealed = null, is_enabled = false,
       explorer_url = null`,
  );
  await database.query('delete from deposit_wallet');
  await database.query("update network set name = 'Ethereum' where code = 'ETHEREUM'");
});

const insertWallet = (xpub: string) =>
  database.query(
    "insert into deposit_wallet (family, xpub, created_at) values ('evm', $1, now())",
    [xpub],
  );
const expectRefused = async (secret: string, place: string): Promise<void> => {
  const error = await refuseStoredPrivateKeys(database, testMasterKey).then(
    () => undefined,
    (refused: Error) => refused,
  );
  expect(error?.message).toContain(place);
  expect(error?.message).toContain('holds a private key');
  expect(error?.message).not.toContain(secret);
};

test('a correct configuration is accepted', async () => {
  await createDepositBench(database).configure(['https://node.example/v3/key']);
  await expect(refuseStoredPrivateKeys(database, testMasterKey)).resolves.toBeUndefined();
});

test.each(Object.entries({ ...PRIVATE_KEYS, 'a private key that says xpub': DISGUISED }))(
  '%s as the key of a wallet, used or not',
  async (_name, secret) => {
    await insertWallet(secret);
    await expectRefused(secret, 'deposit wallet');
  },
);

test.each(Object.entries(PRIVATE_KEYS))('%s in the URL of a node', async (_name, secret) => {
  const url = `https://node.example/v3?key=${encodeURIComponent(secret)}`;
  await database.query("update network set rpc_urls_sealed = $1 where code = 'ETHEREUM'", [
    encryptUrls(testMasterKey, ['http://127.0.0.1:1', url]),
  ]);
  await expectRefused(secret, 'network ETHEREUM');
});

test.each(['name', 'explorer_url'])(
  'in the %s of a network that is switched off',
  async (column) => {
    await database.query(`update network set ${column} = $1 where code = 'ETHEREUM'`, [
      `https://x.example/{tx}/${RAW_KEY}`,
    ]);
    await expectRefused(RAW_KEY, 'network ETHEREUM');
  },
);

const sent = (secret: string): Readonly<Record<string, NetworkSettings>> => ({
  xpub: { xpub: secret },
  rpc_urls: {
    rpcUrls: ['http://127.0.0.1:1', `https://node.example/v3?key=${encodeURIComponent(secret)}`],
  },
  explorer_url: { explorerUrl: `https://x.example/{tx}?key=${encodeURIComponent(secret)}` },
  name: { identity: { kind: 'evm', chainId: 77, name: secret } },
});

test.each(Object.entries(PRIVATE_KEYS))(
  '%s is refused in every field that an operator sends, and nothing is stored',
  async (_name, secret) => {
    for (const [field, settings] of Object.entries(sent(secret))) {
      const refused = await configureNetwork(
        database,
        { clock: systemClock, masterKey: testMasterKey },
        'SECRETS',
        settings,
      ).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: 'invalid_parameter',
        details: { fields: [{ field, code: 'private_key' }] },
      });
      expect(JSON.stringify(refused)).not.toContain(secret);
    }
    expect((await database.query("select 1 from network where code = 'SECRETS'")).rows).toEqual([]);
    expect((await database.query('select 1 from deposit_wallet')).rows).toEqual([]);
  },
);
