/** The files of a source: people in a tree, two wallets and one device each. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

/** Levels of the tree. */
export const DEPTH = 40;

/** Multiplied by a large prime, a number looks picked at random, and is the same in each run. */
const scatter = (n: number, below: number): number =>
  Number((BigInt(n) * 2_654_435_761n) % BigInt(below));

/** The first id of a level; the root is alone in the first one. */
function levelStart(level: number, people: number): number {
  return level === 0 ? 1 : 2 + Math.floor(((level - 1) * (people - 1)) / (DEPTH - 1));
}

/** Each user was referred by one of the level above. */
function* referrersOf(people: number): Generator<readonly [id: number, referrer: number | '']> {
  yield [1, ''];
  for (let level = 1; level < DEPTH; level++) {
    const [above, first] = [levelStart(level - 1, people), levelStart(level, people)];
    const end = level === DEPTH - 1 ? people + 1 : levelStart(level + 1, people);
    for (let id = first; id < end; id++) yield [id, above + scatter(id, first - above)];
  }
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const output = createWriteStream(path);
  for (const line of lines) if (!output.write(`${line}\n`)) await once(output, 'drain');
  output.end();
  await once(output, 'finish');
}

function* people(count: number): Generator<string> {
  yield 'id,email,nickname,password,referrer,created_at';
  for (const [id, referrer] of referrersOf(count)) {
    const password = createHash('md5').update(`password ${id}`).digest('hex');
    const day = String((id % 28) + 1).padStart(2, '0');
    const person = `${id},user${id}@example.test,User ${id}`;
    yield `${person},${password},${referrer},2024-03-${day}T08:00:00Z`;
  }
}

function* balances(count: number): Generator<string> {
  yield 'user_id,wallet,currency,amount';
  for (let id = 1; id <= count; id++) {
    yield `${id},asset,USDT,${id % 900}.${(id % 90) + 10}`;
    yield `${id},bonus,EDGE,${(id % 700) + 1}.000000000000000001`;
  }
}

function* devices(count: number): Generator<string> {
  yield 'node_id,user_id,device_type,browser,extension_version,os,timezone,created_at';
  for (let id = 1; id <= count; id++)
    yield `node-${id},${id},EXTENSION,Chrome 140,1.4.2,Windows,Europe/Berlin,2024-04-01T08:00:00Z`;
}

/** Writes a source of `count` people into a folder. */
export async function writeSource(folder: string, count: number): Promise<void> {
  await writeLines(join(folder, 'people.csv'), people(count));
  await writeLines(join(folder, 'balances.csv'), balances(count));
  await writeLines(join(folder, 'devices.csv'), devices(count));
}
