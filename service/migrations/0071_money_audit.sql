-- Audit: entries about money say whose it is, how much, which transfer moved it and why, and what
-- the service does by itself has its name.

-- `service`: a job, a watcher, the start or another part of the service did it, and said so in
-- `edge_account.audit`. The name of a connection proves nothing: any client chooses its own.
alter table audit_entry drop constraint audit_entry_actor_kind_check;
alter table audit_entry add constraint audit_entry_actor_kind_check
  check (actor_kind in ('person', 'client', 'command', 'service', 'database')) not valid;

-- An amount of minor units as the API shows it, with all its digits.
create function to_exact_amount(minor numeric, decimals int) returns numeric
language sql immutable as $$ select trim_scale(minor * ('1e-' || decimals)::numeric) $$;

-- Whose money a subject is, in which currency and how much; null: it is no money of a person.
create function find_money(of_kind text, of_id text) returns jsonb language plpgsql stable as $$
declare
  wanted bigint := case when of_id ~ '^[1-9][0-9]{0,17}$' then of_id::bigint end;
  found jsonb;
begin
  case of_kind
    when 'withdrawals' then
      -- Ids of wallets contain their owners: see wallet_kind.
      select jsonb_build_object('user_id', h.wallet_id / 32, 'currency', c.code,
        'amount', to_exact_amount(h.amount, c.scale)) into found
      from hold h join currency c on c.id = h.currency_id where h.id = wanted;
    when 'payouts' then
      select jsonb_build_object('user_id', p.user_id, 'currency', p.currency,
        'amount', to_exact_amount(p.amount, c.scale)) into found
      from payout p join currency c on c.code = p.currency where p.id = wanted;
    when 'purchases' then
      select jsonb_build_object('user_id', p.user_id, 'currency', p.currency,
        'amount', to_exact_amount(p.amount, c.scale)) into found
      from package_purchase p join currency c on c.code = p.currency where p.id = wanted;
    when 'deposits' then
      select jsonb_build_object('user_id', d.user_id, 'currency', d.currency,
        'amount', to_exact_amount(d.raw_amount, d.decimals)) into found
      from deposit d where d.id = wanted;
    when 'held-rewards' then
      found := jsonb_build_object('user_id', wanted);
    else
      null;
  end case;
  return jsonb_strip_nulls(found);
end $$;

-- @param why  reason where the request names none
create function add_audit_entry(
  of_kind text, of_id text, was jsonb, became jsonb, what text, why text)
returns void language plpgsql as $$
declare
  said jsonb := nullif(current_setting('edge_account.audit', true), '')::jsonb;
  is_subject boolean := (said->>'subject_kind', said->>'subject_id') = (of_kind, of_id);
  added bigint;
begin
  insert into audit_entry (
    actor_kind, actor_id, client_id, operation, subject_kind, subject_id, before, after,
    reason, reason_sealed, address, origin_sealed, request_id, request_key)
  values (
    coalesce(said->>'actor_kind', 'database'),
    coalesce(said->>'actor_id', session_user || '/' || current_setting('application_name')),
    said->>'client_id', coalesce(said->>'operation', what), of_kind, of_id, was, became,
    coalesce(said->>'reason', why),
    case when is_subject then decode(said->>'reason_sealed', 'base64') end,
    said->>'address', decode(said->>'origin_sealed', 'base64'),
    said->>'request_id', said->>'request_key')
  returning id into added;
  insert into audit_unsealed (entry_id) values (added);
  perform set_config('edge_account.audited', 'true', true);
end $$;

create or replace function add_audit_entry(
  of_kind text, of_id text, was jsonb, became jsonb, what text)
returns void language sql as $$
  select add_audit_entry(of_kind, of_id, was, became, what, null) $$;

-- At the end of a transaction: one that wrote, and of which no table recorded a change, gets an
-- entry without a change. Returns whether there is an entry.
create or replace function close_audit() returns boolean language plpgsql as $$
declare
  said jsonb := nullif(current_setting('edge_account.audit', true), '')::jsonb;
  money jsonb;
begin
  if current_setting('edge_account.audited', true) = 'true' then
    return true;
  end if;
  if said is null or pg_current_xact_id_if_assigned() is null then
    return false;
  end if;
  money := find_money(said->>'subject_kind', said->>'subject_id');
  perform add_audit_entry(
    said->>'subject_kind', said->>'subject_id', money, money, said->>'operation');
  return true;
end $$;

-- Records a change of a row. Arguments: kind of the subject, columns of its id, columns whose
-- values are secret (that they changed is recorded), columns that are left out, the only columns
-- that are recorded (empty: all others), and columns with minor units of the row's currency.
create or replace function record_change() returns trigger language plpgsql as $$
declare
  secrets text[] := string_to_array(tg_argv[2], ',');
  left_out text[] := string_to_array(tg_argv[3], ',');
  recorded text[] := nullif(string_to_array(tg_argv[4], ','), '{}');
  amounts text[] := string_to_array(tg_argv[5], ',');
  decimals int;
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  became jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  full_row jsonb;
  subject text;
  money jsonb;
  caused jsonb;
begin
  full_row := coalesce(became, was);
  if amounts is not null then
    select c.scale into decimals from currency c
      where c.code = full_row->>'currency' or c.id = (full_row->>'currency_id')::int;
  end if;
  select coalesce(string_agg(full_row->>c.name, '/' order by c.n), '') into subject
    from unnest(string_to_array(tg_argv[1], ',')) with ordinality as c (name, n);
  -- Versions are only added: what a new one replaces is the one before it. One that is changed or
  -- deleted by hand has its own values before.
  if tg_op = 'INSERT' and tg_table_name = 'payout_policy' then
    select to_jsonb(p) into was from payout_policy p
      where p.version < new.version order by p.version desc limit 1;
  elsif tg_op = 'INSERT' and tg_table_name = 'reward_activation' then
    select to_jsonb(a) into was from reward_activation a
      where a.hour < new.hour order by a.hour desc limit 1;
  elsif tg_table_name = 'price' then
    select a.code || '/' || b.code into subject from currency a, currency b
      where a.id = (full_row->>'currency_id')::int
        and b.id = (full_row->>'quote_currency_id')::int;
  elsif tg_table_name = 'hold' then
    -- The hold of a payout ends with it, and has no entry of its own. What makes it one is the key
    -- of its first step, which no caller chooses; its reference is a text that callers do.
    if exists (select from hold_step s where s.id = new.id and s.idempotency_key like 'payout/%')
    then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      select jsonb_build_object('transfer_id', s.transfer_id,
          'settled_part', case when s.kind = 'settle' then to_exact_amount(s.amount, decimals) end)
        into caused from hold_step s
        where s.hold_id = new.id and s.created_at = new.updated_at and s.remaining = new.remaining;
    end if;
  elsif tg_op = 'UPDATE' and tg_table_name = 'package_purchase' then
    -- The version before writes the refund after the purchase: its transfer is then left out, for
    -- the last one here is that of another refund.
    select jsonb_build_object('transfer_id', (array_agg(r.transfer_id order by r.id desc))[1])
      into caused from package_refund r
      where r.purchase_id = new.id having sum(r.amount) = new.refunded;
  elsif tg_op = 'UPDATE' and tg_table_name = 'reward_user' then
    -- What is paid is known once this settlement is computed. The version before writes it after
    -- the user: a release of another time is none of this one.
    select jsonb_build_object('settlement_id', max(b.id)) into caused from reward_batch b
      where b.kind = 'release' and b.referee_id = new.user_id and b.created_at = new.released_at;
  elsif tg_op = 'UPDATE' and tg_table_name = 'webhook' and was->>'removed_at' is null
    and full_row->>'removed_at' is not null then
    -- Deleted for its operator, whose entry says what it was; a job deletes the row.
    became := became - '{url,description,event_types}'::text[];
  end if;
  with changed as (
    select coalesce(a.key, b.key) as name, a.value as was, b.value as became
    from jsonb_each(coalesce(was, '{}')) a
      full join jsonb_each(coalesce(became, '{}')) b on b.key = a.key
    where a.value is distinct from b.value and not coalesce(a.key, b.key) = any (left_out)
      and (recorded is null or coalesce(a.key, b.key) = any (recorded))
  ), shown as (
    select name,
      case when name = any (secrets) then '"(secret)"' when name = any (amounts)
        then to_jsonb(to_exact_amount((c.was #>> '{}')::numeric, decimals)) else c.was end as was,
      case when name = any (secrets) then '"(secret)"' when name = any (amounts)
        then to_jsonb(to_exact_amount((c.became #>> '{}')::numeric, decimals)) else c.became end
        as became,
      c.was is not null and c.was <> 'null' as is_before,
      c.became is not null and c.became <> 'null' as is_after
    from changed c)
  select jsonb_object_agg(name, s.was) filter (where is_before),
    jsonb_object_agg(name, s.became) filter (where is_after)
    into was, became from shown s;
  if was is not null or became is not null then
    -- Whose it is did not change: the same on both sides.
    money := find_money(tg_argv[0], subject);
    if tg_op = 'UPDATE' and money is not null then
      was := money || coalesce(was, '{}');
    end if;
    if tg_op <> 'DELETE' and money is not null then
      became := money || coalesce(became, '{}') || jsonb_strip_nulls(coalesce(caused, '{}'));
    end if;
    perform add_audit_entry(tg_argv[0], subject, was, became, lower(tg_op));
  end if;
  return null;
end $$;

-- The kind of a wallet, as the comment of wallet_kind says.
create function kind_of_wallet(wallet bigint) returns bigint language sql immutable as $$
  select case when wallet > 0 then wallet % 32 else (-wallet - 1) / 16 end $$;

-- Transfers that a person posts, one entry each; programs post in batches that have no actor. What
-- is recorded beside the ledger (a purchase, a withdrawal) has its own entry, which names the
-- transfer.
create function record_transfers() returns trigger language plpgsql as $$
declare
  said jsonb := nullif(current_setting('edge_account.audit', true), '')::jsonb;
begin
  with moved as (
    select t.*, c.code as currency, to_exact_amount(t.amount, c.scale) as exact_amount,
      b.code as business, d.code as debit, r.code as credit,
      case when t.debit_wallet > 0 then t.debit_wallet / 32 end as debit_user,
      case when t.credit_wallet > 0 then t.credit_wallet / 32 end as credit_user
    from added t
      join currency c on c.id = t.currency_id
      join transaction_type b on b.id = t.business_id
      join wallet_kind d on d.id = kind_of_wallet(t.debit_wallet)
      join wallet_kind r on r.id = kind_of_wallet(t.credit_wallet)
    where t.hold_id is null and t.idempotency_key not like 'purchase%'
  ), entered as (
    insert into audit_entry (
      actor_kind, actor_id, client_id, operation, subject_kind, subject_id, after,
      reason, address, origin_sealed, request_id, request_key)
    -- A reversal is found where the transfer is that it undoes.
    select said->>'actor_kind', said->>'actor_id', said->>'client_id', said->>'operation',
      'transfers', coalesce(m.reverses, m.id)::text,
      jsonb_strip_nulls(jsonb_build_object(
        'user_id', coalesce(m.debit_user, m.credit_user),
        'other_user_id', case when m.debit_user <> m.credit_user then m.credit_user end,
        'currency', m.currency, 'amount', m.exact_amount, 'business_id', m.business,
        'debit', m.debit, 'credit', m.credit, 'reward_type', m.reward_type,
        'reference', m.reference, 'may_overdraw', case when m.may_overdraw then true end,
        'transfer_id', m.id, 'reverses', m.reverses)),
      coalesce(said->>'reason', m.remark), said->>'address',
      decode(said->>'origin_sealed', 'base64'), said->>'request_id', said->>'request_key'
    from moved m order by m.id
    returning id
  )
  insert into audit_unsealed (entry_id) select id from entered;
  if found then
    perform set_config('edge_account.audited', 'true', true);
  end if;
  return null;
end $$;
-- The condition is asked once for each statement. An import has the entry of its command.
create trigger transfer_audited after insert on transfer
  referencing new table as added for each statement
  when (nullif(current_setting('edge_account.audit', true), '')::jsonb->>'actor_kind'
      in ('person', 'client', 'command')
    and nullif(current_setting('edge_account.audit', true), '')::jsonb->>'operation'
      is distinct from 'import')
  execute function record_transfers();

-- Jobs name themselves now, and change these for no person.
create or replace trigger payout_state_audited
  after update of status, reason_code, mismatch_outcome on payout for each row
  when (nullif(current_setting('edge_account.audit', true), '')::jsonb->>'actor_kind'
      in ('person', 'client', 'command')
    and (old.status is distinct from new.status
      or old.reason_code is distinct from new.reason_code
      or old.mismatch_outcome is distinct from new.mismatch_outcome))
  execute function record_change('payouts', 'id', '', '', 'status,reason_code,mismatch_outcome');
create trigger hold_placed_audited after insert on hold for each row
  when (nullif(current_setting('edge_account.audit', true), '')::jsonb->>'actor_kind'
      in ('person', 'client', 'command'))
  execute function record_change(
    'withdrawals', 'id', '', '', 'amount,state,expires_at,reference', 'amount');
create or replace trigger hold_state_audited after update of state, remaining on hold for each row
  when (nullif(current_setting('edge_account.audit', true), '')::jsonb->>'actor_kind'
      in ('person', 'client', 'command')
    and (old.state <> new.state or old.remaining <> new.remaining))
  execute function record_change('withdrawals', 'id', '', '', 'state,remaining', 'remaining');
create or replace trigger package_purchase_audited after insert on package_purchase for each row
  when (nullif(current_setting('edge_account.audit', true), '')::jsonb->>'actor_kind'
    in ('person', 'client'))
  execute function record_change('purchases', 'id', '', 'id,created_at', '', 'amount,refunded');
create or replace trigger package_purchase_refunded_audited
  after update of refunded on package_purchase for each row
  when (old.refunded is distinct from new.refunded
    and nullif(current_setting('edge_account.audit', true), '')::jsonb->>'actor_kind'
      in ('person', 'client'))
  execute function record_change('purchases', 'id', '', '', 'refunded', 'refunded');
