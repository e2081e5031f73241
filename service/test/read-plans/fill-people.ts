/**
 * All other data that reads use: users, devices, deposits, settlements, logs; many rows of other
 * users, a few of each measured user.
 */
import { rebuildCommunity } from '../../src/community/index.ts';
import type { Db } from '../../src/db/index.ts';
import { encryptUrls } from '../../src/deposits/encrypted-urls.ts';
import { testMasterKey } from '../support/test-config.ts';

/** Devices of a measured user. */
export const DEVICES = 20;
/** Referrals of a measured user. */
export const MEMBERS = 500;

const PEOPLE = `insert into app_user (email, email_key, nickname, referral_code, referrer_id,
  created_at)
  select $1 || n || '@example.test', $1 || n || '@example.test', 'Person ' || $1 || n,
    upper($1) || '-' || n, $3,
    timestamptz '2026-01-01T00:00:00Z' + make_interval(secs => $4 + n)
  from generate_series(1, $2) as n order by n returning id`;

/** Users with a name, in the order of joining; returns their ids. */
export async function addPeople(
  db: Db,
  name: string,
  count: number,
  { referrerId, after_s }: { referrerId?: number; after_s: number },
): Promise<number[]> {
  return (
    await db.query<{ id: number }>(PEOPLE, [name, count, referrerId ?? null, after_s])
  ).rows.map(({ id }) => id);
}

/** `$1` users, `$2` number of rows of each kind for one of them, `$3` now. */
const BELONGINGS: readonly string[] = [
  `insert into device (node_id, user_id, device_type, browser, extension_version, os, timezone,
    capabilities, requested_categories, registered_address, created_at, bound_at)
    select 'node-' || u || '-' || n - 1, u, 'EXTENSION', 'Chrome', '1.0', 'Linux', 'UTC', '{}',
      '{}', '198.51.100.' || u % 200, $3::timestamptz - interval '300 days', $3::timestamptz -
      interval '300 days'
    from unnest($1::bigint[]) as u cross join lateral generate_series(1, $2::int) as n`,
  `insert into device_list (user_id, version) select u, 1 from unnest($1::bigint[]) as u
    where $2::int > 0 and $3::timestamptz is not null`,
  `insert into user_session (sid, user_id, amr, auth_time, expires_at, created_at)
    select 'sid-' || u || '-' || n, u, '{pwd,otp}', $3, $3::timestamptz + interval '1 hour',
      $3::timestamptz from unnest($1::bigint[]) as u
      cross join lateral generate_series(1, least($2::int, 5)) as n`,
  `insert into security_event (user_id, type, ip, user_agent, details, created_at)
    select u, 'signed_in', '198.51.100.1', 'test', '{}', $3 from unnest($1::bigint[]) as u
      cross join lateral generate_series(1, $2::int) as n`,
  `insert into event (user_id, type, data, created_at, position)
    select u, 'reward.posted', '{}', $3, (select coalesce(max(position), 0)
      from event) + row_number() over () from unnest($1::bigint[]) as u
      cross join lateral generate_series(1, $2::int) as n`,
  `insert into deposit_address (user_id, wallet_id, family, derivation_index, address, address_key,
    created_at)
    select u, w.id, 'evm', u, '0x' || lpad(to_hex(u), 40, '0'), '0x' || lpad(to_hex(u), 40, '0'),
      $3 from unnest($1::bigint[]) as u join deposit_wallet w on $2::int > 0`,
  `insert into deposit (network, tx_hash, ordinal, user_id, address_id, token_id, currency,
    raw_amount, decimals, amount, block_number, block_hash, required_confirmations,
      status, detected_at, credited_at)
    select t.network, 'tx-' || u || '-' || n, 0, u, a.id, t.id, t.currency, 5, t.decimals, 5, n,
      'block', 65, case n % 20 when 0 then 'on_hold' else 'credited' end,
      $3::timestamptz - make_interval(hours => n), $3
    from unnest($1::bigint[]) as u join deposit_address a on a.user_id = u join token t
      on t.network = 'ETHEREUM' and t.currency = 'USDT'
      cross join lateral generate_series(1, $2::int) as n`,
  `insert into notification (user_id, kind, code, details, cause, created_at)
    select u, 'deposit', 'deposit_credited', '{}', 'event/' || n, $3
    from unnest($1::bigint[]) as u cross join lateral generate_series(1, $2::int) as n`,
  `insert into notification_choice (user_id, kind, channel, is_on)
    select u, 'deposit', 'bell', false from unnest($1::bigint[]) as u
    where $2::int > 0 and $3::timestamptz is not null`,
  `insert into push_subscription (user_id, sid, endpoint_hash, target_sealed, sealed, language,
    created_at)
    select u, 's-' || u, sha256(('push-' || u || '-' || n)::bytea), '\\x00', '\\x00', 'en', $3
    from unnest($1::bigint[]) as u cross join lateral generate_series(1, least($2::int, 10)) as n`,
  `insert into conversion (id, user_id, currency_id, to_currency_id, amount, to_amount, price,
    priced_at, source, created_at, expires_at, converted_at)
    select 'c-' || u || '-' || n, u, 1, 2, 1, 1, 1, $3, 'test', $3, $3, $3
      from unnest($1::bigint[]) as u cross join lateral generate_series(1, $2::int) as n`,
  `insert into hold (id, wallet_id, currency_id, business_id, amount, remaining, state, created_at,
    updated_at)
    select u * 1000 + n, u * 32 + 1, 1, b.id, 5, case (u + n) % 4 when 0 then 5 else 0 end,
      case (u + n) % 4 when 0 then 'open' else 'cancelled' end, $3, $3
      from unnest($1::bigint[]) as u join transaction_type b on b.code = 'withdrawal'
      cross join lateral generate_series(1, $2::int) as n`,
  `insert into hold_step (id, hold_id, kind, amount, remaining, created_at, request_hash,
    idempotency_key)
    select h.id * 2 + s, h.id, case s when 0 then 'place' else 'cancel' end, 5, case s when 0 then
      5 else 0 end, $3, '\\x00', 'step:' || h.id || ':' || s
    from unnest($1::bigint[]) as u join hold h on h.wallet_id = u * 32 + 1
      cross join generate_series(0, 1) as s where $2::int > 0`,
  `insert into package_purchase (user_id, currency, amount, reference, is_external, created_at)
    select u, 'EDGE', 7, 'order', true, $3 from unnest($1::bigint[]) as u
      cross join lateral generate_series(1, $2::int) as n`,
  `insert into consent (user_id, client_id, scopes, is_remembered, created_at, updated_at)
    select u, 'edge-console', '{}', true, $3, $3 from unnest($1::bigint[]) as u where $2::int > 0`,
  `insert into reward_line (batch_id, leaf, hour, user_id, rule_version, level, part, reward_type,
    status, node_id, quantity, rate, settled_before, amount)
    select 1 + (n % 50), u * 1000 + n, $3::timestamptz - make_interval(hours => n), u, 1, 0, '',
      'UPTIME', case n % 10 when 0 then 'held' else 'paid' end, 'node-' || u || '-0', 1, 1, 0, 1
    from unnest($1::bigint[]) as u cross join lateral generate_series(1, $2::int * 5) as n`,
];

/** As `BELONGINGS`: factors, and payouts of every status, of other users mostly of the last day. */
const FACTORS_AND_PAYOUTS: readonly string[] = [
  `insert into authenticator (user_id, secret_sealed, created_at, confirmed_at)
    select u, '\\x00', $3, $3 from unnest($1::bigint[]) as u where $2::int > 0`,
  `insert into recovery_code (user_id, salt, code_hash)
    select u, 'salt', 'hash-' || n from unnest($1::bigint[]) as u
      cross join generate_series(1, 10) as n where $2::int > 0 and $3::timestamptz is not null`,
  `insert into passkey (user_id, credential_id, public_key, counter, transports, is_synced, name,
    created_at)
    select u, 'key-' || u || '-' || n, '\\x00', 0, '{internal}', true, 'Key ' || n, $3
    from unnest($1::bigint[]) as u cross join generate_series(1, least($2::int, 5)) as n`,
  `insert into upstream_identity (user_id, issuer, subject, email, linked_at, last_used_at)
    select u, 'https://id' || n || '.example.com', 'subject-' || u, 'a@example.com', $3, $3
    from unnest($1::bigint[]) as u cross join generate_series(1, least($2::int, 3)) as n`,
  `insert into user_security (user_id) select u from unnest($1::bigint[]) as u
    where $2::int > 0 and $3::timestamptz is not null on conflict do nothing`,
  `insert into payout_address (id, user_id, network, address, address_key, label, created_at,
    usable_at) overriding system value
    select u * 1000 + n, u, 'ETHEREUM', '0x' || n, '0x' || n, 'Mine', $3, $3
    from unnest($1::bigint[]) as u cross join generate_series(1, least($2::int, 3)) as n`,
  `insert into payout (id, user_id, address_id, network, currency, amount, fee, hold_id,
    idempotency_key, request_hash, status, reason_code, policy_version, step_up, check_at,
    followed_at, document, document_hash, requested_at, updated_at) overriding system value
    select u * 1000 + n, u, u * 1000 + 1, 'ETHEREUM', 'USDT', 5, 1, u * 1000 + n,
      'payout:' || u || ':' || n, 'hash', (array['confirmed', 'in_review', 'rejected',
        'confirmed'])[n % 4 + 1], 'waits_for_check', 1, 'strong', $3, $3, '{}', 'hash',
      $3::timestamptz - make_interval(hours => 12 * n, mins => u::int % 720), $3
    from unnest($1::bigint[]) as u cross join generate_series(1, $2::int) as n`,
  `insert into payout_decision (position, payout_id, decision, decided_by, details, created_at, mac)
    select id, id, 'reviewed', 'policy', '{}', $3, '\\x00' from payout
    where user_id = any ($1::bigint[]) and $2::int > 0`,
];

/** A settlement with lines of the measured users only. */
const PAID_BATCH = 13;

/** What hangs on devices, totals of payouts, and settlements as they are. */
const REST: readonly string[] = [
  `insert into payout_total (currency, starts_at, amount)
    select currency, date_bin('10 minutes', requested_at, timestamptz 'epoch'), sum(amount)
    from payout where status not in ('failed', 'cancelled', 'rejected')
      and $1::timestamptz is not null group by 1, 2`,
  'update package_purchase set transfer_id = id where $1::timestamptz is not null',
  `insert into audit_entry (at, actor_kind, actor_id, operation, subject_kind, subject_id, after)
    select $1::timestamptz - make_interval(secs => 20000 - n), 'person', '1',
      'setUserGroups', 'users', (1 + n % 2)::text, '{}'
    from generate_series(1, 20000) as n`,
  `insert into audit_entry (at, actor_kind, actor_id, operation, subject_kind, subject_id, after)
    select $1::timestamptz - make_interval(secs => 20000 - n), 'person', '1',
      'postTransfers', 'transfers', n::text,
      jsonb_build_object('user_id', 1 + n % 4, 'other_user_id', 1 + (n + 1) % 4)
    from generate_series(1, 8000) as n`,
  `insert into audit_sealed (entry_id, position)
    select id, 1 from audit_entry where $1::timestamptz is not null`,
  `insert into device_presence (device_id, heard_at, previous_at, address)
    select id, $1, $1, '198.51.100.1' from device`,
  `insert into device_usage (device_id, bytes_up, bytes_down) select id, 1000, 2000 from device
    where $1::timestamptz is not null`,
  `insert into device_hour (device_id, hour, online_ms)
    select id, date_trunc('hour', $1::timestamptz) - make_interval(hours => n), 1000 from device
    cross join generate_series(1, 24) as n`,
  `insert into refused_report (device_id, client_id, content_hash, report_id, refusal, reason_code,
    reason_values, received_at)
    select id, 'relay', 'h-' || id, 'r-' || id, 'report_in_future', 'ends_in_future', '{}', $1
      from device`,
  `insert into live_connection (device_id, user_id, address, node, number)
    select id, user_id, '198.51.100.1', gen_random_uuid(), id from device
    where $1::timestamptz is not null`,
  `insert into reward_user (user_id, hold_reason, held_at)
    select id, case when id % 10 = 0 then 'cluster' end, case when id % 10 = 0 then $1::timestamptz
    end from app_user`,
  `insert into reward_batch (kind, hour, rule_version, state, salt_key, lines, posted, amount,
    root, created_at, settled_at)
    select 'hour', date_trunc('hour', $1::timestamptz) - make_interval(hours => n), 1, 'settled',
      '\\x00', 100, 100, 100, '\\x00', $1, $1 from generate_series(1, (select greatest(2000,
      count(*)::int) from app_user)) as n`,
  `insert into reward_chunk (batch_id, chunk, root) select batch_id, leaf / 1000, '\\x00'
    from reward_line where $1::timestamptz is not null group by 1, 2`,
  `insert into reward_rules (body, body_hash, created_by, created_at)
    values ('{}', 'hash', 'test', $1)`,
  // The first bill of each measured user is paid by rules: all that its proof reads is there, up to
  // the roots, which are none.
  `update transfer t set idempotency_key = 'reward:' || l.batch_id || ':' || l.leaf
    from reward_line l cross join lateral (select transfer_id from entry
      where wallet_id = l.user_id * 32 + 2 order by position limit 1) first
    where l.batch_id = ${PAID_BATCH} and t.id = first.transfer_id and $1::timestamptz is not null`,
  `with root as (
    update transfer set reference = 'rewards ${PAID_BATCH} 100 00'
    where id = (select min(id) from transfer where $1::timestamptz is not null) returning id)
  update reward_batch set root_transfer = root.id from root where reward_batch.id = ${PAID_BATCH}`,
  `insert into webhook (url, description, event_types, secret, position, created_by, created_at)
    select 'https://example.test/' || n, '', '{}', '\\x00', 0, 'test', $1
    from generate_series(1, 3) as n`,
  `insert into webhook_delivery (webhook_id, event_position, type, body, state, next_attempt_at,
    created_at)
    select 1 + n % 3, n, 'a.b', '{}', case n % 100 when 0 then 'dead' else 'delivered' end, $1, $1
      from generate_series(1, (select 3 * count(*)::int from app_user)) as n`,
  `insert into price (currency_id, quote_currency_id, price, priced_at, source, updated_at)
    select 1, 2, 1, $1, 'test', $1`,
  `update chain_state set cursor_height = 1000, cursor_hash = 'h'
    where $1::timestamptz is not null`,
];

/** @param each number of rows of each kind for one user */
export async function addBelongings(
  db: Db,
  people: readonly number[],
  each: number,
  now: Date,
): Promise<void> {
  for (const text of [...BELONGINGS, ...FACTORS_AND_PAYOUTS])
    await db.query(text, [people, each, now]);
}

const POLICY = {
  rules: [
    {
      ...{ currency: 'USDT', network: 'ETHEREUM', fee: '1', minimum: '2', person_day_max: '10' },
      ...{ day_max: '1000', email_only_day_max: '1', automatic_max: '1', four_eyes_above: '5' },
    },
  ],
  automatic_age_days: 30,
};

/** Before any address is issued or payout requested. */
export async function addWallet(db: Db, now: Date): Promise<void> {
  await db.query(
    `insert into payout_policy (version, policy, created_by, created_at)
      values (1, $1, 'test', $2)`,
    [POLICY, now],
  );
  await db.query(
    "insert into deposit_wallet (family, xpub, created_at) values ('evm', 'xpub-test', $1)",
    [now],
  );
  await db.query(
    `update network set wallet_id = (select id from deposit_wallet), rpc_urls_sealed = $1,
      is_enabled = true where code = 'ETHEREUM'`,
    [encryptUrls(testMasterKey, ['https://node.example.test/'])],
  );
}

/** After all users are inserted. */
export async function addRest(db: Db, now: Date): Promise<void> {
  for (const text of REST) await db.query(text, [now]);
  await rebuildCommunity(db);
}

/** Many events of one user, each with a delivery to every webhook. */
export async function addDeliveries(
  db: Db,
  userId: number,
  events: number,
  now: Date,
): Promise<void> {
  await db.query(
    `with added as (
      insert into event (user_id, type, data, created_at, position)
      select $1, 'reward.posted', '{}', $3, (select max(position) from event)
        + (select max(event_position) from webhook_delivery) + n
      from generate_series(1, $2::int) as n returning position
    )
    insert into webhook_delivery (webhook_id, event_position, type, body, state, next_attempt_at,
      created_at)
    select w.id, added.position, 'reward.posted', '{}', 'delivered', $3, $3
    from added cross join webhook w`,
    [userId, events, now],
  );
}
