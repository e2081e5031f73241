/**
 * A million people in one tree, with the downlines that the benchmarks compare. Built once per run,
 * set by set.
 */
import pg from 'pg';
import { rebuildCommunity } from '../../service/src/community/rebuild-community.ts';
import { type Database, migrate, openServer } from '../../service/src/db/index.ts';
import { createRandom, insertPeople } from '../../service/test/community/tree-oracle.ts';
import { type PostgresServer, startPostgres } from '../../service/test/support/postgres-server.ts';

const PEOPLE = Number(process.env.BENCH_PEOPLE ?? 1_000_000);
const CHAIN = 10_000;
const SMALL = 500;
const DEPTH = 30;

/** Ids of the people whose downlines are measured. */
export interface Places {
  /** Half of all. */
  readonly half: number;
  /** 500 people. */
  readonly small: number;
  /** The last of a chain of 10,000. */
  readonly chainTip: number;
  /** A member at depth 30. */
  readonly depth30: number;
  /** The root: all other members are below it. */
  readonly root: number;
}

export interface Million {
  readonly database: Database;
  readonly url: string;
  readonly places: Places;
  readonly people: number;
}

/** The small downline, the chain and the path. */
function placeOf(
  i: number,
  {
    chainFrom,
    pathFrom,
    random,
  }: { chainFrom: number; pathFrom: number; random: (n: number) => number },
): number {
  if (i < 3) return i === 0 ? -1 : 0;
  if (i < chainFrom) return 2 + random(i - 2);
  return i === chainFrom || i === pathFrom ? 0 : i - 1;
}

/**
 * Who referred the i-th: a small downline, a chain and a path first, then two random recursive
 * trees that grow side by side, so that members of both are spread over all days.
 */
function createParents(): { parentOf: (i: number) => number; places: Places } {
  const random = createRandom(20_261_120);
  const chainFrom = 3 + SMALL;
  const pathFrom = chainFrom + CHAIN;
  const treesFrom = pathFrom + DEPTH;
  const half = [1];
  const others = [0];
  const parentOf = (i: number): number => {
    if (i < treesFrom) return placeOf(i, { chainFrom, pathFrom, random });
    const isHalf = half.length <= PEOPLE / 2 && (i % 2 === 0 || i >= PEOPLE - treesFrom);
    const grown = isHalf ? half : others;
    const parent = grown[random(grown.length)] ?? 0;
    grown.push(i);
    return parent;
  };
  return {
    parentOf,
    places: { root: 1, half: 2, small: 3, chainTip: pathFrom, depth30: treesFrom },
  };
}

async function build(): Promise<{ million: Million; server: PostgresServer }> {
  const server = await startPostgres({ shared_buffers: '1GB', max_wal_size: '8GB' });
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(
    `create database bench template template0 encoding 'UTF8' locale_provider 'builtin'
      builtin_locale 'C.UTF-8' locale 'C'`,
  );
  await admin.end();
  const url = server.url.replace(/\/postgres$/, '/bench');
  const database = await openServer({ url, poolSize: 10, onError: () => {} });
  await migrate(database);
  const { parentOf, places } = createParents();
  const started = performance.now();
  await insertPeople(database, PEOPLE, parentOf);
  await database.query('analyze app_user');
  const inserted = performance.now();
  await rebuildCommunity(database);
  console.log(
    `built ${PEOPLE} people in ${Math.round((inserted - started) / 1000)} s, their tree ` +
      `in ${Math.round((performance.now() - inserted) / 1000)} s`,
  );
  return { million: { database, url, places, people: PEOPLE }, server };
}

let current: ReturnType<typeof build> | undefined;
let stopping: NodeJS.Timeout | undefined;
const LINGER_MS = 2000;

/** The tree of this run; the next benchmark finds it still there. */
export async function openMillion(): Promise<Million> {
  clearTimeout(stopping);
  current ??= build();
  return (await current).million;
}

/** Releases the tree: it is stopped unless another benchmark takes it over at once. */
export function closeMillion(): void {
  stopping = setTimeout(async () => {
    const built = await current;
    current = undefined;
    await built?.million.database.close();
    await built?.server.stop();
  }, LINGER_MS);
}
