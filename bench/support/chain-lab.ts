/** A chain full of payments on a real node, and a PostgreSQL with a million watched addresses. */
import { type Database, migrate, openServer, transaction } from '../../service/src/db/index.ts';
import { type Anvil, type Hex, startAnvil } from '../../service/test/support/chains/anvil.ts';
import {
  createDepositBench,
  type DepositBench,
  NETWORK,
  type Person,
} from '../../service/test/support/chains/deposit-bench.ts';
import { startPostgres } from '../../service/test/support/postgres-server.ts';

export const WATCHED = 1_000_000;
const WALLETS = 1000;
/** A statement may take a minute at most. */
const WALLETS_PER_STATEMENT = 100;
const LOGS_PER_BLOCK = 60;
const COINS_PER_BLOCK = 3;
/** Every nth block pays a watched address. */
const OURS_EVERY = 10;
const ONE_USDT = 1_000_000n;

export interface ChainLab {
  readonly anvil: Anvil;
  readonly bench: DepositBench;
  readonly database: Database;
  readonly usdt: Hex;
  readonly person: Person;
  /** Forgets what was read and found, so that watchers continue after this block. */
  forget(height: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * A million addresses of a thousand people in a thousand wallets: what counts is the table that
 * payments are looked up in.
 */
async function insertWatched(database: Database): Promise<void> {
  await database.query(
    `insert into app_user (email, email_key, nickname, referral_code, created_at)
     select 'w' || n, 'w' || n, 'w', 'W' || n, now() from generate_series(1, $1::int) n`,
    [WATCHED / WALLETS],
  );
  await database.query(
    `insert into deposit_wallet (family, xpub, next_index, created_at)
     select 'evm', 'bench' || n, (select max(id) + 1 from app_user), now()
       from generate_series(1, $1::int) n`,
    [WALLETS],
  );
  for (let from = 1; from <= WALLETS; from += WALLETS_PER_STATEMENT)
    await transaction(database, async (tx) => {
      // Two million look-ups of what was inserted a moment ago: not what is measured.
      await tx.query('set local session_replication_role = replica');
      await tx.query(
        `insert into deposit_address (user_id, wallet_id, family, derivation_index, address,
          address_key, created_at)
         select u.id, w.id, 'evm', u.id, key, key, now()
         from deposit_wallet w, app_user u, lateral (select
           '0x' || left(encode(sha256((u.id || '/' || w.id)::bytea), 'hex'), 40)) as made (key)
         where u.nickname = 'w' and w.xpub = any($1::text[]) order by w.id, u.id`,
        [Array.from({ length: WALLETS_PER_STATEMENT }, (_, at) => `bench${from + at}`)],
      );
    });
  await database.query('analyze deposit_address');
}

export async function openChainLab(options: {
  watched: boolean;
  poll_ms?: number;
}): Promise<ChainLab> {
  const postgres = await startPostgres({});
  const database = await openServer({ url: postgres.url, poolSize: 5, onError: () => {} });
  await migrate(database);
  const anvil = await startAnvil();
  const usdt = await anvil.deployToken('USDT', 6);
  const bench = createDepositBench(database);
  await bench.configure([anvil.url], {
    requiredConfirmations: 3,
    reorgWindow: 128,
    poll_ms: options.poll_ms ?? 20,
  });
  await bench.addToken('USDT', usdt, 6, { minDeposit: ONE_USDT });
  await bench.addToken('ETH', undefined, 18);
  const person = await bench.addPerson();
  if (options.watched) await insertWatched(database);
  return {
    anvil,
    bench,
    database,
    usdt,
    person,
    async forget(height) {
      const { hash } = await anvil.call<{ hash: string }>('eth_getBlockByNumber', [
        `0x${height.toString(16)}`,
        false,
      ]);
      await database.query('delete from deposit');
      await database.query('delete from chain_block');
      await database.query(
        'update chain_state set cursor_height = $2, cursor_hash = $3 where network = $1',
        [NETWORK, height, hash],
      );
    },
    async close() {
      await database.close();
      await anvil.stop();
      await postgres.stop();
    },
  };
}

function strangerOf(n: number): Hex {
  return `0x${(n * 2_654_435_761 + 1).toString(16).padStart(40, '7')}`;
}

/** Mines blocks, each with token payments and some coins, a few of them to us. */
export async function fillChain({ anvil, usdt, person }: ChainLab, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    const receivers = Array.from({ length: LOGS_PER_BLOCK }, (_, at) =>
      strangerOf(block * LOGS_PER_BLOCK + at),
    );
    if (block % OURS_EVERY === 0) receivers[0] = person.address;
    const data = anvil.encode('payMany', [receivers, receivers.map(() => 2n * ONE_USDT)]);
    const coins = Array.from({ length: COINS_PER_BLOCK }, (_, at) =>
      anvil.send({ from: anvil.accounts[at + 1] as Hex, to: strangerOf(block + at), value: 1n }),
    );
    await Promise.all([anvil.send({ to: usdt, data }), ...coins]);
    await anvil.mine();
  }
}
