/**
 * Prices that are fetched: an https address that answers JSON, and a pointer to the price in it.
 */
import {
  type Database,
  type Db,
  defineStatement,
  execute,
  queryNamed,
  transaction,
} from '../db/index.ts';
import { type Outgoing, OutgoingError } from '../http/index.ts';
import { type Currency, findCurrency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure, fieldError } from '../lib/failures.ts';
import { parseFedPrice, setPrice } from './prices.ts';

export interface PriceFeed {
  readonly name: string;
  readonly url: string;
  /** JSON pointer (RFC 6901) to the price, a number or string. */
  readonly pointer: string;
  readonly currency: string;
  readonly quoteCurrency: string;
  readonly every_s: number;
  readonly lastSuccessAt: Date | null;
  readonly lastError: string | null;
}

const FEEDS = `select f.name, f.url, f.pointer, c.code as currency, q.code as "quoteCurrency",
    f.every_s, f.last_success_at as "lastSuccessAt", f.last_error as "lastError"
  from price_feed f
    join currency c on c.id = f.currency_id
    join currency q on q.id = f.quote_currency_id`;

const PUT = defineStatement(
  'price_feed_put',
  `insert into price_feed
    (name, url, pointer, currency_id, quote_currency_id, every_s, next_at, created_at)
  values (:name, :url, :pointer, :currency, :quote_currency, :every_s, :now, :now)
  on conflict (name) do update
    set url = excluded.url, pointer = excluded.pointer, currency_id = excluded.currency_id,
      quote_currency_id = excluded.quote_currency_id, every_s = excluded.every_s,
      next_at = excluded.next_at, last_error = null`,
);

export async function listPriceFeeds(db: Db): Promise<PriceFeed[]> {
  return (await db.query<PriceFeed>(`${FEEDS} order by f.name`)).rows;
}

export interface NewPriceFeed extends Pick<PriceFeed, 'name' | 'url' | 'pointer' | 'every_s'> {
  readonly currency: Currency;
  readonly quoteCurrency: Currency;
}

/**
 * Adds a feed or changes the one of that name. @throws `invalid_parameter` for an address that may
 * not be asked
 */
export async function putPriceFeed(
  db: Db,
  clock: Clock,
  outgoing: Outgoing,
  feed: NewPriceFeed,
): Promise<void> {
  if (feed.currency.id === feed.quoteCurrency.id)
    throw fieldError('quote_currency', 'same_currency', 'must differ from the currency');
  try {
    outgoing.checkUrl(feed.url);
  } catch (error) {
    if (error instanceof OutgoingError) throw fieldError('url', error.problem, error.message);
    throw error;
  }
  const { name, url, pointer, every_s } = feed;
  await execute(db, PUT, {
    name,
    url,
    pointer,
    every_s,
    currency: feed.currency.id,
    quote_currency: feed.quoteCurrency.id,
    now: clock.now(),
  });
}

export async function deletePriceFeed(db: Db, name: string): Promise<boolean> {
  return (await db.query('delete from price_feed where name = $1', [name])).rowCount > 0;
}

/** The value that a JSON pointer names; numbers come as they are written. */
export function readPointer(text: string, pointer: string): string {
  let at: unknown = JSON.parse(text, ((
    _key: string,
    value: unknown,
    context?: { source?: string },
  ) => (typeof value === 'number' && context?.source !== undefined ? context.source : value)) as (
    key: string,
    value: unknown,
  ) => unknown);
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined;
  }
  if (typeof at !== 'string') throw new Error(`the answer holds no number at ${pointer}`);
  return at;
}

/** Reserves the feeds that are due: no other instance fetches them. */
async function takeDue(database: Database, now: Date): Promise<PriceFeed[]> {
  return transaction(database, async (tx) => {
    const { rows } = await tx.query<{ name: string }>(
      `update price_feed set next_at = $1::timestamptz + every_s * interval '1 second'
       where name in (
         select name from price_feed where next_at <= $1
         order by next_at limit 20 for update skip locked
       )
       returning name`,
      [now],
    );
    return (
      await tx.query<PriceFeed>(`${FEEDS} where f.name = any($1)`, [rows.map((row) => row.name)])
    ).rows;
  });
}

async function refresh(
  database: Database,
  clock: Clock,
  outgoing: Outgoing,
  feed: PriceFeed,
): Promise<void> {
  const answer = await outgoing.send({
    method: 'GET',
    url: feed.url,
    headers: { accept: 'application/json' },
  });
  if (answer.status !== 200) throw new Error(`the answer has the status ${answer.status}`);
  const price = parseFedPrice(readPointer(answer.text, feed.pointer));
  const currency = await findCurrency(database, feed.currency);
  const quoteCurrency = await findCurrency(database, feed.quoteCurrency);
  if (!currency || !quoteCurrency) throw new Error('a currency is unknown');
  const fed = {
    currency,
    quoteCurrency,
    price,
    pricedAt: clock.now(),
    source: `feed:${feed.name}`,
  };
  // In a transaction, which names the job to the audit log.
  await transaction(database, (tx) => setPrice(tx, clock, fed));
  await queryNamed(
    database,
    'update price_feed set last_success_at = :now, last_error = null where name = :name',
    { name: feed.name, now: clock.now() },
  );
}

function describeError(error: unknown): string {
  if (error instanceof Failure)
    return (
      error.details.fields?.map((field) => `${field.field} ${field.message}`).join('; ') ??
      error.message
    );
  return error instanceof SyntaxError
    ? 'the answer is not JSON'
    : error instanceof Error
      ? error.message
      : String(error);
}

/** Job: fetches the feeds that are due. An error is stored; the feed is fetched again when due. */
export async function refreshPrices(
  database: Database,
  clock: Clock,
  outgoing: Outgoing,
): Promise<void> {
  const due = await takeDue(database, clock.now());
  await Promise.all(
    due.map((feed) =>
      refresh(database, clock, outgoing, feed).catch(async (error: unknown) => {
        await queryNamed(
          database,
          'update price_feed set last_error = :last_error where name = :name',
          { name: feed.name, last_error: describeError(error).slice(0, 500) },
        );
      }),
    ),
  );
}
