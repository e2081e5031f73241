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

/** What the source last changed when; the rows that changed are spread over the files. */
const [BEFORE, AFTER] = ['2025-01-01T00:00:00Z', '2025-06-01T00:00:00Z'];
/** Between both: `--since` of a run that brings the changes. */
export const SINCE = '2025-03-01T00:00:00Z';

/** The files of a source: as they were first, or after one user of `changedOf` has changed. */
interface Source {
  readonly count: number;
  readonly changedOf?: number;
}

const hasChanged = ({ changedOf }: Source, id: number): boolean =>
  changedOf !== undefined && id % changedOf === 0;
const changedAt = (source: Source, id: number): string => (hasChanged(source, id) ? AFTER : BEFORE);

function* people(source: Source): Generator<string> {
  yield 'id,email,nickname,password,referrer,created_at,updated_at';
  for (const [id, referrer] of referrersOf(source.count)) {
    const password = createHash('md5').update(`password ${id}`).digest('hex');
    const day = String((id % 28) + 1).padStart(2, '0');
    const name = hasChanged(source, id) ? 'Renamed' : 'User';
    const person = `${id},user${id}@example.test,${name} ${id}`;
    const times = `2024-03-${day}T08:00:00Z,${changedAt(source, id)}`;
    yield `${person},${password},${referrer},${times}`;
  }
}

function* balances(source: Source): Generator<string> {
  yield 'user_id,wallet,currency,amount,updated_at';
  for (let id = 1; id <= source.count; id++) {
    const at = changedAt(source, id);
    const more = hasChanged(source, id) ? 1000 : 0;
    yield `${id},asset,USDT,${(id % 900) + more}.${(id % 90) + 10},${at}`;
    yield `${id},bonus,EDGE,${(id % 700) + more + 1}.000000000000000001,${at}`;
  }
}

const DEVICE = 'Windows,Europe/Berlin,2024-04-01T08:00:00Z';

function* devices(source: Source): Generator<string> {
  yield 'node_id,user_id,device_type,browser,extension_version,os,timezone,created_at,updated_at';
  for (let id = 1; id <= source.count; id++) {
    const version = hasChanged(source, id) ? '1.5.0' : '1.4.2';
    const device = `node-${id},${id},EXTENSION,Chrome 140,${version},${DEVICE}`;
    yield `${device},${changedAt(source, id)}`;
  }
}

/** Writes a source into a folder. */
export async function writeSource(folder: string, source: Source): Promise<void> {
  await writeLines(join(folder, 'people.csv'), people(source));
  await writeLines(join(folder, 'balances.csv'), balances(source));
  await writeLines(join(folder, 'devices.csv'), devices(source));
}
