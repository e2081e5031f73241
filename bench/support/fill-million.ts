/**
 * A service after 90 days, as far as a start may read it: people, devices, presence, sessions,
 * tokens, and the revocations whose tokens have not expired.
 */
import pg from 'pg';

/** `$1`: people. */
const STATEMENTS: readonly (readonly [name: string, text: string])[] = [
  [
    'people',
    `insert into app_user (email, email_key, nickname, referral_code, created_at)
     select 'p' || n || '@example.org', 'p' || n || '@example.org', 'Person ' || n, 'R' || n,
       now() - interval '90 days' from generate_series(1, $1::int) n`,
  ],
  [
    'devices',
    `insert into device (node_id, user_id, key_thumbprint, device_type, browser,
       extension_version, os, timezone, capabilities, requested_categories, registered_address,
       created_at, bound_at)
     select md5(id::text), id, md5(id::text), 'TERMINAL', 'edge-terminal', '1.2.3', 'Linux', 'UTC',
       '{}', '{}', '10.' || id % 200 || '.' || id / 200 % 250 || '.1', now() - interval '90 days',
       now() - interval '90 days' from app_user where $1::int > 0 order by id`,
  ],
  [
    'presence',
    `insert into device_presence (device_id, heard_at, previous_at, address)
     select id, now(), now(), registered_address from device where $1::int > 0`,
  ],
  [
    'bound tokens',
    `insert into device_token (jti, grant_id, device_id, expires_at)
     select 'jti-' || id || '-' || n, 'grant-' || id || '-' || n, id,
       now() + make_interval(days => 30 * n)
     from device cross join generate_series(1, 2) n where $1::int > 0`,
  ],
  [
    'grants and refresh tokens',
    `insert into oidc_object (model, id, payload, grant_id, expires_at)
     select model, model || '-' || d.id || '-' || n,
       json_build_object('accountId', d.user_id::text, 'clientId', 'edge-terminal', 'scope',
         'openid offline_access device:connect devices:read', 'jti', md5(d.id::text)),
       'grant-' || d.id || '-' || n, now() + make_interval(days => 30 * n)
     from device d cross join generate_series(3, 3) n
       cross join unnest(array['Grant', 'RefreshToken']) model where $1::int > 0`,
  ],
  [
    'sessions',
    `insert into user_session (sid, user_id, amr, auth_time, expires_at, created_at)
     select 'sid-' || id || '-' || n, id, '{pwd,otp}', now() - make_interval(days => 30 * n),
       now() - make_interval(days => 30 * n - 1), now() - make_interval(days => 30 * n)
     from app_user cross join generate_series(0, 1) n where $1::int > 0`,
  ],
  [
    // Half of the rows of a day (docs/operations.md): tokens live for twelve hours.
    'revocations of tokens that have not expired',
    `insert into token_revocation (kind, value, reason, effective_at, until)
     select case n % 2 when 0 then 'sid' else 'jti' end, md5(n::text), 'logout', now(),
       now() + interval '12 hours' from generate_series(1, $1::int) n`,
  ],
];

/** Indexes for the search of operators: made faster after the rows than with each of them. */
const SEARCH_INDEXES = `select indexname as name, indexdef as definition from pg_indexes
  where tablename = 'app_user' and indexdef like '%gin_trgm_ops%'`;

/** Fills a migrated database; says what it holds. */
export async function fillMillion(databaseUrl: string, people: number): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica; set work_mem = '256MB'");
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      SEARCH_INDEXES,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    const counts: string[] = [];
    for (const [name, text] of STATEMENTS) {
      const { rowCount } = await client.query(text, [people]);
      counts.push(`${(rowCount ?? 0).toLocaleString('en')} ${name}`);
    }
    for (const { definition } of indexes) await client.query(definition);
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    return counts.join(', ');
  } finally {
    await client.end();
  }
}
