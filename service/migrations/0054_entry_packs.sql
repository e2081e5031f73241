-- Ledger: bills of rewards of closed months are packed, and their rows removed.

-- Bills of rewards whose rows were removed from `entry` and `transfer`: those of up to 256
-- positions of a wallet in one row. The n-th values of all lists are one bill. The packs of the
-- house have the whole transfer; those of people what a bill shows of it.
create table entry_pack (
  wallet_id bigint not null,
  -- (position - 1) / 256, as in entry_count_block
  block bigint not null,
  -- The lowest of transfer_ids.
  first_transfer bigint not null,
  positions bigint[] not null,
  seqs bigint[] not null,
  transfer_ids bigint[] not null,
  created_times timestamptz[] not null,
  currency_ids smallint[] not null,
  business_ids smallint[] not null,
  directions smallint[] not null,
  amounts numeric(78,0)[] not null,
  balances_after numeric(78,0)[] not null,
  -- The other side of the transfer.
  other_wallets bigint[] not null,
  event_times timestamptz[] not null,
  reward_types text[] not null,
  node_ids text[] not null,
  -- Null in packs of people, from here on: the other entry, and the rest of the transfer.
  other_positions bigint[],
  other_seqs bigint[],
  other_balances numeric(78,0)[],
  may_overdraw boolean[],
  request_hashes bytea[],
  idempotency_keys text[],
  constraint entry_pack_pkey primary key (wallet_id, block)
);
-- A transfer by its id: in a shard, positions of the house grow with the ids of transfers.
create index entry_pack_transfer_idx on entry_pack (wallet_id, first_transfer)
  where wallet_id < 0;
insert into protected_table (name, may_update) values ('entry_pack', false);

-- Months whose bills of rewards are removed. First those of people, wallet by wallet, then those of
-- the house with the transfers.
create table ledger_removal (
  -- Its first day, UTC.
  month date
    constraint ledger_removal_pkey primary key
    constraint ledger_removal_month_check check (extract(day from month) = 1),
  -- The last head of the month: only what it covers is removed.
  head_day date not null constraint ledger_removal_head_fkey references ledger_head (day),
  -- When the files of the month were compared with the database.
  checked_at timestamptz,
  -- When the entries of people were packed.
  people_at timestamptz,
  -- When the entries of the house were packed, and the transfers removed.
  removed_at timestamptz,
  -- How far the step is: all wallets before this one, and of this one all up to the position.
  at_wallet bigint not null default 0,
  at_position bigint not null default 0,
  -- Entries that were removed so far.
  entries bigint not null default 0,
  constraint ledger_removal_steps_check check (
    (people_at is null or checked_at is not null) and (removed_at is null or people_at is not null))
);
insert into protected_table (name, may_update) values ('ledger_removal', true);

-- Application roles delete no postings (protected_table). This packs bills of rewards in ranges of
-- positions (low, high], and removes their rows: of a month whose files were compared, covered by
-- its head, older than 30 days, and never reversed. The lists of `wallets`, `lows` and `highs` are
-- as long as each other. What it removes stands in the packs, unchanged: verify compares them with
-- the seals. Of the house, only bills whose other side is packed; their transfers are removed too.
create function pack_entries(
  of_table regclass, of_month date, wallets bigint[], lows bigint[], highs bigint[])
returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp
-- Row by row along the indexes, whatever is known of the tables.
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  home name;
  removed int;
begin
  select n.nspname into strict home
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = of_table and c.relname = 'entry' and c.relowner = current_user::regrole;
  execute format($sql$
    with covered as materialized (
      select (s ->> 'shard')::int as shard, (s ->> 'transfers')::bigint as transfers
      from %1$I.ledger_removal m join %1$I.ledger_head h on h.day = m.head_day
        cross join lateral json_array_elements(h.body::json -> 'shards') s
      where m.month = $1 and m.checked_at is not null
    ), due as materialized (
      select e.*, t.event_at, t.reward_type, t.node_id, t.may_overdraw, t.request_hash,
        t.idempotency_key, o.wallet as other_wallet, o.position as other_position,
        p.seq as other_seq, p.balance_after as other_balance
      from unnest($2, $3, $4) as w (wallet_id, low, high)
        cross join lateral (
          select * from %1$I.entry where wallet_id = w.wallet_id
            and position > w.low and position <= w.high offset 0
        ) e
        cross join lateral (select * from %1$I.transfer where id = e.transfer_id limit 1) t
        join covered c on c.shard = mod(t.id - 1, 16) and (t.id - 1) / 16 < c.transfers
        cross join lateral (
          select case e.direction when 1 then t.debit_wallet else t.credit_wallet end as wallet,
            case e.direction when 1 then t.debit_position else t.credit_position end as position
        ) o
        left join lateral (
          select k.seqs[k.n] as seq, k.balances_after[k.n] as balance_after
          from (
            select seqs, balances_after, array_position(positions, o.position) as n
            from %1$I.entry_pack
            where e.wallet_id < 0 and wallet_id = o.wallet and block = (o.position - 1) / 256
          ) k
        ) p on true
      where t.idempotency_key ~ '^(reward:[0-9]+:[0-9]+$|reward-day:[0-9]+:)'
        and t.reward_type is not null and t.reference is null and t.remark is null
        and t.reverses is null and t.hold_id is null
        and t.created_at < now() - interval '30 days'
        and (e.amount, e.created_at, e.currency_id, e.business_id)
          = (t.amount, t.created_at, t.currency_id, t.business_id)
        and (e.wallet_id, e.position) = (
          case e.direction when 1 then t.credit_wallet else t.debit_wallet end,
          case e.direction when 1 then t.credit_position else t.debit_position end)
        and mod(-least(e.wallet_id, o.wallet) - 1, 16) = c.shard
        and (e.wallet_id > 0 and o.wallet < 0 or e.wallet_id < 0 and o.wallet > 0
          and p.seq is not null)
        and not exists (select from %1$I.transfer r where r.reverses = t.id)
    ), gone as (
      delete from %1$I.entry e using due d
      where e.wallet_id = d.wallet_id and e.position = d.position returning d.*
    ), gone_transfer as (
      delete from %1$I.transfer t using gone g where g.wallet_id < 0 and t.id = g.transfer_id
    ), packed as (
      insert into %1$I.entry_pack as p (wallet_id, block, first_transfer, positions, seqs,
        transfer_ids, created_times, currency_ids, business_ids, directions, amounts,
        balances_after, other_wallets, event_times, reward_types, node_ids, other_positions,
        other_seqs, other_balances, may_overdraw, request_hashes, idempotency_keys)
      select wallet_id, (position - 1) / 256, min(transfer_id),
        array_agg(position order by position), array_agg(seq order by position),
        array_agg(transfer_id order by position), array_agg(created_at order by position),
        array_agg(currency_id order by position), array_agg(business_id order by position),
        array_agg(direction order by position), array_agg(amount order by position),
        array_agg(balance_after order by position), array_agg(other_wallet order by position),
        array_agg(event_at order by position), array_agg(reward_type order by position),
        array_agg(node_id order by position),
        case when wallet_id < 0 then array_agg(other_position order by position) end,
        case when wallet_id < 0 then array_agg(other_seq order by position) end,
        case when wallet_id < 0 then array_agg(other_balance order by position) end,
        case when wallet_id < 0 then array_agg(may_overdraw order by position) end,
        case when wallet_id < 0 then array_agg(request_hash order by position) end,
        case when wallet_id < 0 then array_agg(idempotency_key order by position) end
      from gone group by 1, 2
      on conflict (wallet_id, block) do update set
        first_transfer = least(p.first_transfer, excluded.first_transfer),
        positions = p.positions || excluded.positions,
        seqs = p.seqs || excluded.seqs,
        transfer_ids = p.transfer_ids || excluded.transfer_ids,
        created_times = p.created_times || excluded.created_times,
        currency_ids = p.currency_ids || excluded.currency_ids,
        business_ids = p.business_ids || excluded.business_ids,
        directions = p.directions || excluded.directions,
        amounts = p.amounts || excluded.amounts,
        balances_after = p.balances_after || excluded.balances_after,
        other_wallets = p.other_wallets || excluded.other_wallets,
        event_times = p.event_times || excluded.event_times,
        reward_types = p.reward_types || excluded.reward_types,
        node_ids = p.node_ids || excluded.node_ids,
        other_positions = p.other_positions || excluded.other_positions,
        other_seqs = p.other_seqs || excluded.other_seqs,
        other_balances = p.other_balances || excluded.other_balances,
        may_overdraw = p.may_overdraw || excluded.may_overdraw,
        request_hashes = p.request_hashes || excluded.request_hashes,
        idempotency_keys = p.idempotency_keys || excluded.idempotency_keys
    )
    select count(*) from gone
  $sql$, home) into removed using of_month, wallets, lows, highs;
  return removed;
end $$;
revoke execute on function pack_entries(regclass, date, bigint[], bigint[], bigint[]) from public;
