/** The rows of each exported file, as pages in the order of a key. All values are text. */
import { entriesAfter, TRANSFER_OF_ENTRY } from '../ledger/index.ts';
import type { FileName } from './schemas.ts';

/** RFC 3339 with microseconds. */
const time = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Minor units as a plain decimal of the currency. */
const money = (minor: string): string =>
  `case when c.scale = 0 then (${minor})::text
    else trim_scale((${minor}) * (10::numeric ^ -c.scale))::text end`;

const PAGE = 5000;

const PEOPLE = `select id as key_1, 0 as key_2, id::text,
    case when status <> 'closed' then email end as email,
    case when status <> 'closed' then nickname end as nickname,
    password_hash as password,
    case when password_hash is not null then 'peppered_md5' end as password_input,
    referrer_id::text as referrer, referral_code, ${time('created_at')} as created_at, status
  from app_user u where u.id > :key_1 and :key_2 >= 0 order by u.id limit ${PAGE}`;

const BALANCES = `select a.wallet_id as key_1, a.currency_id as key_2, a.user_id::text,
    k.code as wallet, c.code as currency, ${money('a.credits - a.debits')} as amount
  from (
    select * from account where wallet_id > 0 and (wallet_id, currency_id) > (:key_1, :key_2)
    order by wallet_id, currency_id limit ${PAGE}
  ) a
  join currency c on c.id = a.currency_id join wallet_kind k on k.id = a.kind_id
  order by a.wallet_id, a.currency_id`;

const BILLS = `select e.wallet_id as key_1, e.position as key_2,
    (e.transfer_id * 2 + e.direction - 1)::text as id, (e.wallet_id / 32)::text as user_id,
    k.code as wallet, c.code as currency, e.direction::text as amount_direction,
    b.code as business_id, ${money('e.amount')} as amount, ${time('t.event_at')} as event_at,
    t.reward_type, t.node_id, t.reference, t.remark
  from ${entriesAfter(':key_1::bigint', ':key_2::bigint', PAGE)} e
  cross join ${TRANSFER_OF_ENTRY} t
  join currency c on c.id = e.currency_id join wallet_kind k on k.id = e.wallet_id % 32
  join transaction_type b on b.id = e.business_id
  order by e.wallet_id, e.position`;

const DEVICES = `select id as key_1, 0 as key_2, node_id, user_id::text, device_type,
    key_thumbprint, name, browser, extension_version, os, timezone,
    case when capabilities <> '{}' then to_json(capabilities)::text end as capabilities,
    case when granted_categories <> '{}' then to_json(granted_categories)::text end
      as granted_categories,
    ${time('created_at')} as created_at
  from device where id > :key_1 and :key_2 >= 0 and cut is distinct from 'deleted'
  order by id limit ${PAGE}`;

const ADDRESSES = `select a.id as key_1, 0 as key_2, a.user_id::text,
    (select min(code) from network n where n.family = a.family) as network, a.address,
    case when w.xpub <> 'single addresses' then w.xpub end as xpub,
    case when w.xpub <> 'single addresses' then a.derivation_index::text end as derivation_index,
    ${time('a.created_at')} as created_at
  from deposit_address a join deposit_wallet w on w.id = a.wallet_id
  where a.id > :key_1 and :key_2 >= 0 order by a.id limit ${PAGE}`;

const PURCHASES = `select p.id as key_1, 0 as key_2, p.id::text, p.user_id::text, p.currency,
    ${money('p.amount')} as amount, ${money('p.refunded')} as refunded, p.reference,
    ${time('p.created_at')} as created_at
  from package_purchase p join currency c on c.code = p.currency
  where p.id > :key_1 and :key_2 >= 0 order by p.id limit ${PAGE}`;

/**
 * Each takes the place after which its page begins, and gives `key_1` and `key_2` as the place of
 * a row; the places of all rows are above 0.
 */
export const EXPORT_QUERIES: Readonly<Record<FileName, string>> = {
  people: PEOPLE,
  balances: BALANCES,
  bills: BILLS,
  devices: DEVICES,
  deposit_addresses: ADDRESSES,
  purchases: PURCHASES,
};
