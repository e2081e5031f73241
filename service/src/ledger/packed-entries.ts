/**
 * Entries and transfers wherever they stand: as rows, or packed (ADR 0134). SQL that reads the
 * ledger names them by these, and sees the same before and after a month is removed.
 */
import { SHARDS } from './wallet-ids.ts';

/** Positions of a wallet that are counted together, and packed together. */
export const BLOCK = 256;

/** What a pack has of each entry, as a list of its own. */
const LISTS = {
  position: 'positions',
  seq: 'seqs',
  transfer_id: 'transfer_ids',
  created_at: 'created_times',
  currency_id: 'currency_ids',
  business_id: 'business_ids',
  direction: 'directions',
  amount: 'amounts',
  balance_after: 'balances_after',
  other_wallet: 'other_wallets',
  event_at: 'event_times',
  reward_type: 'reward_types',
  node_id: 'node_ids',
  other_position: 'other_positions',
  other_seq: 'other_seqs',
  other_balance: 'other_balances',
  may_overdraw: 'may_overdraw',
  request_hash: 'request_hashes',
  idempotency_key: 'idempotency_keys',
};

/** The entries `u` of a pack `p`. */
const UNPACKED = `cross join lateral unnest(${Object.values(LISTS)
  .map((list) => `p.${list}`)
  .join(', ')}) as u (${Object.keys(LISTS).join(', ')})`;

/**
 * Of a pack `p`, its first entry `u` that has a value, found without unpacking the others; no row
 * when it has none.
 */
const unpackedWhere = (list: string, value: string): string => `cross join lateral (
    select ${Object.entries(LISTS)
      .map(([name, values]) => `p.${values}[k.n] as ${name}`)
      .join(', ')}
    from (select array_position(p.${list}, (${value})::bigint) as n) k where k.n is not null
  ) u`;

const ENTRY =
  'wallet_id, position, seq, transfer_id, created_at, currency_id, business_id, direction, ' +
  'amount, balance_after';
/** What a bill shows of its transfer; null where the transfer is a row. */
const NOT_PACKED = `null::bigint as other_wallet, null::timestamptz as event_at,
    null::text as reward_type, null::text as node_id`;
const ENTRY_OF_PACK = `p.wallet_id, u.position, u.seq, u.transfer_id, u.created_at, u.currency_id,
    u.business_id, u.direction, u.amount, u.balance_after`;
const PACKED_ENTRY = `${ENTRY_OF_PACK}, u.other_wallet, u.event_at, u.reward_type, u.node_id`;

/**
 * A row of `entry` that no pack has. Instances may insert rows, and only the owner writes packs: a
 * row at the position of a packed bill is forged, and hides no bill.
 */
const IS_NOT_PACKED = `not coalesce((
      select entry.position = any (k.positions) from entry_pack k
      where k.wallet_id = entry.wallet_id and k.block = (entry.position - 1) / ${BLOCK}
    ), false)`;

/**
 * The entries of a wallet in a range of positions (low, high], which should be short: a pack is
 * read as a whole, and the planner may sort what it reads.
 * @param wallet,low,high as SQL
 */
export const entriesBetween = (wallet: string, low: string, high: string): string => `(
    select ${ENTRY}, ${NOT_PACKED} from entry
    where wallet_id = ${wallet} and position > ${low} and position <= ${high} and ${IS_NOT_PACKED}
    union all
    select ${PACKED_ENTRY} from entry_pack p ${UNPACKED}
    where p.wallet_id = ${wallet} and p.block >= (${low}) / ${BLOCK}
      and p.block <= ((${high}) - 1) / ${BLOCK} and u.position > ${low} and u.position <= ${high}
  )`;

interface Newest {
  readonly wallet: string;
  readonly low: string;
  readonly high: string;
  readonly currency: string;
  readonly limit: string;
}

/**
 * The newest entries of a currency in a range of positions (low, high], and no more rows than these
 * where they are not packed. All parts are SQL.
 */
export const newestBetween = ({ wallet, low, high, currency, limit }: Newest): string => `(
    select * from (
      (select ${ENTRY}, ${NOT_PACKED} from entry where wallet_id = ${wallet}
        and position > ${low} and position <= ${high} and currency_id = ${currency}
        and ${IS_NOT_PACKED} order by position desc limit ${limit})
      union all
      (select ${PACKED_ENTRY} from entry_pack p ${UNPACKED}
        where p.wallet_id = ${wallet} and p.block >= (${low}) / ${BLOCK}
          and p.block <= ((${high}) - 1) / ${BLOCK} and u.position > ${low}
          and u.position <= ${high} and u.currency_id = ${currency}
        order by u.position desc limit ${limit})
    ) newest order by position desc limit ${limit}
  )`;

/** The entries of a block of a wallet. @param wallet,block as SQL */
export const entriesOfBlock = (wallet: string, block: string): string =>
  entriesBetween(wallet, `${block} * ${BLOCK}`, `(${block} + 1) * ${BLOCK}`);

/** The entry of a wallet at a position, the packed one first. @param wallet,position as SQL */
export const entryAt = (wallet: string, position: string): string => `(
    select ${PACKED_ENTRY} from entry_pack p ${unpackedWhere('positions', position)}
    where p.wallet_id = ${wallet} and p.block = (greatest(${position}, 1) - 1) / ${BLOCK}
    union all
    select ${ENTRY}, ${NOT_PACKED} from entry
    where wallet_id = ${wallet} and position = ${position}
    limit 1
  )`;

/**
 * The last entry of a wallet before a position, also of one currency. Only positions that are
 * missing are passed over.
 * @param wallet,position,currency as SQL
 */
export const entryBefore = (wallet: string, position: string, currency?: string): string => {
  const isIts = currency === undefined ? '' : `and currency_id = ${currency}`;
  const hasIts = currency === undefined ? '' : `and ${currency} = any(currency_ids)`;
  return `(
    select * from (
      (select ${ENTRY} from entry where wallet_id = ${wallet} and position < ${position} ${isIts}
        and ${IS_NOT_PACKED} order by position desc limit 1)
      union all
      (select ${ENTRY_OF_PACK}
        from (
          select * from entry_pack where wallet_id = ${wallet} and block <= ${position} / ${BLOCK}
            ${hasIts} order by block desc limit 2
        ) p ${UNPACKED}
        where u.position < ${position} ${isIts.replace('and ', 'and u.')}
        order by u.position desc limit 1)
    ) n order by position desc limit 1
  )`;
};

/** Every entry; for what reads the whole ledger. */
export const EVERY_ENTRY = `(
    select ${ENTRY}, ${NOT_PACKED} from entry
    union all select ${PACKED_ENTRY} from entry_pack p ${UNPACKED}
  )`;

/** Every entry of some wallets. @param isTheirs a condition on `wallet_id` */
export const entriesOfWallets = (isTheirs: string): string => `(
    select ${ENTRY}, ${NOT_PACKED} from entry where ${isTheirs} and ${IS_NOT_PACKED}
    union all
    select ${PACKED_ENTRY} from (select * from entry_pack where ${isTheirs}) p ${UNPACKED}
  )`;

/**
 * Packs from the one of a position on, and as few as have so many entries behind it. The first one
 * may have none of them: without one pack more, a row of a later place would end the page, and what
 * is packed before it would be in none.
 */
const packsFrom = (wallet: string, position: string, size: number): string => `(
      select * from (
        select k.*, sum(cardinality(positions)) over (order by wallet_id, block)
          - cardinality(positions) as before
        from (
          select * from entry_pack
          where wallet_id > 0 and (wallet_id, block) >= (${wallet}, ${position} / ${BLOCK})
          order by wallet_id, block limit ${size + 1}
        ) k
      ) l where before < ${size + BLOCK}
    )`;

/**
 * The next entries of people behind a position of a wallet, in the order of wallets and positions.
 * @param wallet,position as SQL
 */
export const entriesAfter = (wallet: string, position: string, size: number): string => `(
    select * from (
      (select ${ENTRY}, ${NOT_PACKED} from entry
        where wallet_id > 0 and (wallet_id, position) > (${wallet}, ${position})
          and ${IS_NOT_PACKED} order by wallet_id, position limit ${size})
      union all
      select ${PACKED_ENTRY} from ${packsFrom(wallet, position, size)} p ${UNPACKED}
      where (p.wallet_id, u.position) > (${wallet}, ${position})
    ) n order by wallet_id, position limit ${size}
  )`;

/**
 * What a bill shows of the transfer of an entry `e` of the above. The lateral form asks for each
 * transfer by key, whatever the planner believes of the table.
 */
export const TRANSFER_OF_ENTRY = `lateral (
    select debit_wallet, credit_wallet, event_at, reward_type, node_id, reference, remark
    from transfer where id = e.transfer_id and e.event_at is null
    union all
    select case e.direction when 1 then e.other_wallet else e.wallet_id end,
      case e.direction when 1 then e.wallet_id else e.other_wallet end, e.event_at, e.reward_type,
      e.node_id, null::text, null::text
    where e.event_at is not null
    limit 1
  )`;

const TRANSFER =
  'id, debit_wallet, debit_position, credit_wallet, credit_position, event_at, created_at, ' +
  'reverses, hold_id, currency_id, business_id, may_overdraw, amount, request_hash, ' +
  'idempotency_key, reward_type, node_id, reference, remark';
/** The transfer of an entry of the house: what was never packed of one is null. */
const PACKED_TRANSFER = `u.transfer_id as id,
    case u.direction when 2 then p.wallet_id else u.other_wallet end as debit_wallet,
    case u.direction when 2 then u.position else u.other_position end as debit_position,
    case u.direction when 1 then p.wallet_id else u.other_wallet end as credit_wallet,
    case u.direction when 1 then u.position else u.other_position end as credit_position,
    u.event_at, u.created_at, null::bigint as reverses, null::bigint as hold_id, u.currency_id,
    u.business_id, u.may_overdraw, u.amount, u.request_hash, u.idempotency_key, u.reward_type,
    u.node_id, null::text as reference, null::text as remark`;

/** The pack of the house that has a transfer, if one has. @param id as SQL */
const packOf = (id: string): string => `wallet_kind k cross join lateral (
      select * from entry_pack
      where wallet_id < 0 and wallet_id = -(k.id * ${SHARDS} + (${id} - 1) % ${SHARDS} + 1)
        and first_transfer <= ${id} order by first_transfer desc limit 1
    ) p ${unpackedWhere('transfer_ids', id)} where k.is_house`;

/** A transfer by its id, with the columns of the table. @param id as SQL */
export const transferById = (id: string): string => `(
    select ${TRANSFER} from transfer where id = ${id}
    union all select ${PACKED_TRANSFER} from ${packOf(id)}
    limit 1
  )`;

/** Both sides of a transfer that is packed, as the house has them. */
const PACKED_SIDES = `case u.direction when 2 then u.seq else u.other_seq end as debit_seq,
    case u.direction when 2 then u.balance_after else u.other_balance end as debit_after,
    case u.direction when 1 then u.seq else u.other_seq end as credit_seq,
    case u.direction when 1 then u.balance_after else u.other_balance end as credit_after`;

/** A transfer that is packed, with `seq` and balance of its entries. @param id as SQL */
export const packedTransferById = (id: string): string =>
  `(select ${PACKED_TRANSFER}, ${PACKED_SIDES} from ${packOf(id)} limit 1)`;

/**
 * Transfers of the bills in the packs of a person that are of one time, reward type and device,
 * with their keys. Of a wallet of the house none.
 * @param bill an alias with `wallet_id`, `event_at`, `reward_type` and `node_id`, as SQL
 */
export const packedLike = (bill: string): string => `(
    select t.id, t.idempotency_key
    from (
        select * from entry_pack where wallet_id > 0 and wallet_id = ${bill}.wallet_id
          and ${bill}.event_at = any (event_times) offset 0
      ) p ${UNPACKED} cross join lateral ${packedTransferById('u.transfer_id')} t
    where u.event_at = ${bill}.event_at and u.reward_type = ${bill}.reward_type
      and u.node_id is not distinct from ${bill}.node_id
  )`;

/** Every transfer that is packed; for what reads the whole ledger. */
export const EVERY_PACKED_TRANSFER = `(
    select ${PACKED_TRANSFER}, ${PACKED_SIDES}
    from (select * from entry_pack where wallet_id < 0) p ${UNPACKED}
  )`;

const REQUIRED = Object.keys(LISTS).slice(0, Object.keys(LISTS).indexOf('node_id'));
const OF_HOUSE = Object.keys(LISTS).slice(Object.keys(LISTS).indexOf('node_id') + 1);
const listed = (columns: readonly string[]): string =>
  columns.map((column) => `u.${column}`).join(', ');

/** Packs of which a list is shorter than another, or that have what stands in another block. */
export const MISSHAPEN_PACKS = `select distinct p.wallet_id, p.block from entry_pack p ${UNPACKED}
  where (u.position > p.block * ${BLOCK} and u.position <= (p.block + 1) * ${BLOCK}
    and p.first_transfer <= u.transfer_id and num_nulls(${listed(REQUIRED)}) = 0
    and (p.wallet_id > 0 or num_nulls(${listed(OF_HOUSE)}) = 0)) is not true`;

/** The entry of a transfer in whatever pack has it. @param id,direction as SQL */
export const packedLeg = (id: string, direction: string): string => `(
    select p.wallet_id, u.position, u.seq, u.balance_after
    from entry_pack p ${unpackedWhere('transfer_ids', id)}
    where u.direction = ${direction} limit 1
  )`;

/** Every transfer; for what reads the whole ledger. */
export const EVERY_TRANSFER = `(
    select ${TRANSFER} from transfer
    union all
    select ${PACKED_TRANSFER} from (select * from entry_pack where wallet_id < 0) p ${UNPACKED}
  )`;
