/**
 * SIGKILL before each statement of a watcher that reverses, re-reads and credits: the next watcher
 * ends with the same books.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { type Anvil, type Hex, startAnvil } from '../../test/support/chains/anvil.ts';
import { createDepositBench, type Person } from '../../test/support/chains/deposit-bench.ts';
import { runKilledChild } from '../../test/support/child-node.ts';
import { createServerDatabase } from '../../test/support/databases.ts';
import { sized } from '../../test/support/scale.ts';
import { type Database, migrate, openEmbedded, openServer } from '../db/index.ts';

const CHILD = new URL('../../test/support/chains/watch-child.ts', import.meta.url).pathname;
const CONFIRMATIONS = 3;
const ONE_USDT = 1_000_000n;
/**
 * Every nth statement; every one in the soak. Coprime to the length of a transaction, so that all
 * kinds are met.
 */
const STRIDE = sized({ quick: 17, full: 17, soak: 1 });
const EMBEDDED_STRIDE = sized({ quick: 37, full: 37, soak: 3 });
/** The soak starts some two hundred processes, one after the other. */
const TIMEOUT_MS = sized({ quick: 600_000, full: 1_200_000, soak: 3_600_000 });

let anvil: Anvil;
beforeEach(async () => {
  anvil = await startAnvil();
  return () => anvil.stop();
});

/** Runs the child; returns its statements, or undefined when it was killed. */
async function runChild(where: string, killAt: number): Promise<number | undefined> {
  const output = await runKilledChild(CHILD, [where, String(killAt)]);
  return output === undefined ? undefined : Number(output);
}

/**
 * A database whose watcher has credited two payments of a fork that the chain has left since: one
 * is included again, one is new.
 */
async function prepare(database: Database): Promise<Person> {
  const bench = createDepositBench(database);
  const usdt = await anvil.deployToken('USDT', 6);
  await bench.configure([anvil.url], { requiredConfirmations: CONFIRMATIONS });
  await bench.addToken('USDT', usdt, 6, { minDeposit: ONE_USDT });
  const alice = await bench.addPerson();
  const pay = (amount: bigint, from: number) =>
    anvil.send({
      to: usdt,
      data: anvil.encode('pay', [alice.address, amount * ONE_USDT]),
      from: anvil.accounts[from] as Hex,
      gasPrice: 10n ** 11n,
    });
  const stays = await pay(1n, 1);
  await pay(2n, 2);
  await anvil.mine(CONFIRMATIONS);
  await bench.settle();
  expect(await bench.balance(alice.userId, 'USDT')).toBe(3n * ONE_USDT);
  const raw = await anvil.rawOf(stays);
  await anvil.rollback(CONFIRMATIONS);
  await anvil.sendRaw(raw);
  await pay(4n, 3);
  await anvil.mine(CONFIRMATIONS + 1);
  return alice;
}

async function expectRightBooks(database: Database, alice: Person): Promise<void> {
  const bench = createDepositBench(database);
  await bench.settle();
  expect(await bench.balance(alice.userId, 'USDT')).toBe(5n * ONE_USDT);
  expect((await bench.deposits()).map(({ status, epoch }) => [status, epoch])).toEqual([
    ['credited', 2],
    ['reversed', 1],
    ['credited', 1],
  ]);
  const types = await bench.eventTypes();
  const count = (type: string): number => types.filter((each) => each === type).length;
  expect([
    count('deposit.credited'),
    count('deposit.reversed'),
    count('deposit.confirming'),
  ]).toEqual([4, 2, 4]);
}

/** The child ran many statements, and was killed before each chosen one. */
function expectAllKills(
  kills: number,
  { made, first, stride }: { made: number; first: number; stride: number },
): void {
  expect(made).toBeGreaterThan(50);
  expect(kills).toBe(Math.floor((made - first) / stride) + 1);
}

test('on a server: killed before each statement in turn', { timeout: TIMEOUT_MS }, async () => {
  const url = new URL(await createServerDatabase({ isOwner: true }));
  const template = url.pathname.slice(1);
  const prepared = await openServer({ url: url.href, poolSize: 2, onError: () => {} });
  const alice = await prepare(prepared);
  await prepared.close();
  const admin = new pg.Client({ connectionString: new URL('/postgres', url).href });
  await admin.connect();
  let kills = 0;
  let made: number | undefined;
  for (let killAt = 1; made === undefined; killAt += STRIDE) {
    const name = `${template}_${killAt}`;
    await admin.query(`create database ${name} template ${template}`);
    const copy = new URL(`/${name}`, url).href;
    made = await runChild(copy, killAt);
    const database = await openServer({ url: copy, poolSize: 2, onError: () => {} });
    await expectRightBooks(database, alice);
    await database.close();
    if (made === undefined) kills++;
  }
  await admin.end();
  expectAllKills(kills, { made, first: 1, stride: STRIDE });
});

test('embedded: killed before statements of the whole run', { timeout: TIMEOUT_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-killed-'));
  const original = join(folder, 'original');
  const prepared = await openEmbedded({ directory: original });
  await migrate(prepared);
  const alice = await prepare(prepared);
  await prepared.close();
  let kills = 0;
  let made: number | undefined;
  for (let killAt = 5; made === undefined; killAt += EMBEDDED_STRIDE) {
    const copy = join(folder, String(killAt));
    cpSync(original, copy, { recursive: true });
    made = await runChild(`embedded:${copy}`, killAt);
    const database = await openEmbedded({ directory: copy });
    await expectRightBooks(database, alice);
    await database.close();
    rmSync(copy, { recursive: true });
    if (made === undefined) kills++;
  }
  rmSync(folder, { recursive: true, force: true });
  expectAllKills(kills, { made, first: 5, stride: EMBEDDED_STRIDE });
});
