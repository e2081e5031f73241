import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../test/community/tree-oracle.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { LEVELS } from '../../test/support/referral-levels.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import { recordEligibility } from './referral-eligibility.ts';

const HOUR = new Date('2026-03-01T05:00:00Z');
const HOUR_MS = 3_600_000;

interface Trait {
  readonly userId: number;
  readonly address: string;
  readonly key: string | null;
}

interface Verdict {
  /** The levels at which the referee counts. */
  readonly counting: readonly number[];
  readonly reason: string | null;
}

/** The last level demands more addresses than the one before it. */
const REQUIREMENTS = LEVELS.map((level) => ({
  level,
  millionths: 100_000n,
  uptime_ms: (1 + (level % 2)) * HOUR_MS,
  addresses: (LEVELS.length - level) % 2 === 0 ? 2 : 1,
}));

describe.each(ENGINES)('eligibility on %s', (engine) => {
  const random = createRandom(11);
  const people: number[] = [];
  const traits: Trait[] = [];
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    for (let n = 0; n < 60; n++) people.push(await insertUser(database));
    const used = new Set<string>();
    for (let n = 0; n < 120; n++) {
      const userId = people[random(people.length)] ?? 0;
      const key = random(3) === 0 ? `key-${random(25)}` : null;
      if (key !== null && used.has(`${userId} ${key}`)) continue;
      used.add(`${userId} ${key}`);
      await insertDevice(n, { userId, address: `10.0.0.${random(250)}`, key });
    }
    for (const userId of people)
      await database.query('insert into reward_user (user_id, uptime_ms) values ($1, $2)', [
        userId,
        random(4) * HOUR_MS,
      ]);
  });
  afterAll(() => database.close());

  /**
   * A key belongs to one device at a time: the others that had it were deleted. Every second device
   * was last heard at another address than it registered from.
   */
  async function insertDevice(n: number, trait: Trait): Promise<void> {
    traits.push(trait);
    const isHeard = n % 2 === 0;
    const { rows } = await database.query<{ id: number }>(
      `insert into device (node_id, user_id, key_thumbprint, device_type, browser,
        extension_version, os, timezone, capabilities, requested_categories,
         registered_address, created_at, bound_at, cut, cut_reason, cut_at)
       values ($1, $2, $3, 'TERMINAL', '', '', '', 'UTC',
         '{}', '{}', $4, $5, $5, 'deleted', 'moved', $5) returning id`,
      [
        trait.key ?? `node-${n}`,
        trait.userId,
        trait.key,
        isHeard ? '192.0.2.1' : trait.address,
        HOUR,
      ],
    );
    if (isHeard)
      await database.query(
        `insert into device_presence (device_id, heard_at, previous_at, address)
          values ($1, $2, $2, $3)`,
        [rows[0]?.id, HOUR, trait.address],
      );
  }

  function judge(userId: number, uptime_ms: number): Verdict {
    const isShared = (name: 'address' | 'key', value: string | null): boolean =>
      value !== null && traits.some((other) => other.userId !== userId && other[name] === value);
    const mine = traits.filter((trait) => trait.userId === userId);
    const own = new Set(
      mine.filter(({ address }) => !isShared('address', address)).map(({ address }) => address),
    ).size;
    const sharesKey = mine.some(({ key }) => isShared('key', key));
    const sharesAddress = mine.some(({ address }) => isShared('address', address));
    const counting = REQUIREMENTS.filter(
      (level) =>
        uptime_ms >= level.uptime_ms &&
        mine.length > 0 &&
        (own >= level.addresses || sharesAddress || sharesKey),
    );
    const lacksAddress = counting.some(({ addresses }) => own < addresses);
    const reason = sharesKey ? 'shared_key' : lacksAddress ? 'shared_address' : null;
    return {
      counting: counting.map(({ level }) => level),
      reason: counting.length > 0 ? reason : null,
    };
  }

  test('at each level own addresses make eligible; a shared address or key holds', async () => {
    await transaction(database, (tx) => recordEligibility(tx, HOUR, REQUIREMENTS));
    const { rows } = await database.query<{
      user_id: number;
      uptime_ms: string;
      counting: number[];
      hold_reason: string | null;
    }>(
      `select user_id, uptime_ms, hold_reason, array(
          select level::int from referral_eligibility e
          where e.user_id = r.user_id and eligible_from is not null order by level
        ) as counting
        from reward_user r order by user_id`,
    );
    const found = rows.map(({ user_id, counting, hold_reason }) => ({
      userId: user_id,
      counting,
      reason: hold_reason,
    }));
    expect(found).toEqual(
      rows.map((row) => ({ userId: row.user_id, ...judge(row.user_id, Number(row.uptime_ms)) })),
    );
    expect(
      new Set(found.map(({ counting, reason }) => `${counting.length > 0} ${reason}`)),
    ).toEqual(new Set(['false null', 'true null', 'true shared_address', 'true shared_key']));
    for (const level of LEVELS)
      expect(new Set(found.map(({ counting }) => counting.includes(level))).size).toBe(2);
  });
});
