/**
 * Compares every accepted conversion with its two transfers, and those transfers with it. A
 * transfer is sealed, and carries the hash of every term of its conversion.
 */
import type { Db } from '../db/index.ts';
import { termsHash } from '../wallets/index.ts';
import { findProblems, PROBLEMS_MAX } from './find-problems.ts';

interface ConversionCounts {
  readonly conversions: number;
}

export interface ConversionsReport extends ConversionCounts {
  readonly problems: readonly string[];
}

const COUNTS = 'select count(*) as conversions from conversion where converted_at is not null';

/** A quote is rounded down. */
const QUOTED = `select 'conversion ' || c.id || ': does not follow from its price' as problem
  from conversion c
  join currency f on f.id = c.currency_id join currency t on t.id = c.to_currency_id
  where c.to_amount is distinct from
    div(c.amount * c.price * 10::numeric ^ t.scale, 10::numeric ^ f.scale)
  order by c.id limit ${PROBLEMS_MAX}`;

interface Half {
  readonly name: 'out' | 'in';
  /** Columns of `conversion`. */
  readonly amount: string;
  readonly currency: string;
  /** Column of `transfer`. */
  readonly userWallet: string;
  readonly kind: string;
}

const HALVES: readonly Half[] = [
  {
    name: 'out',
    amount: 'c.amount',
    currency: 'c.currency_id',
    userWallet: 't.debit_wallet',
    kind: 'bonus',
  },
  {
    name: 'in',
    amount: 'c.to_amount',
    currency: 'c.to_currency_id',
    userWallet: 't.credit_wallet',
    kind: 'asset',
  },
];

const TERMS = termsHash('c', 'c.idempotency_key');

const checkHalf = ({ name, amount, currency, userWallet, kind }: Half): string => `select
    'conversion ' || c.id || case when t.id is null then ': the transfer ${name} is missing'
      else ': does not agree with transfer ' || t.id end as problem
  from conversion c left join transfer t on t.idempotency_key = 'conversion:' || c.id || ':${name}'
  where c.converted_at is not null and (t.amount = ${amount} and t.currency_id = ${currency}
    and t.event_at = c.converted_at and t.request_hash = ${TERMS}
    and t.business_id = (select id from transaction_type where code = 'conversion_${name}')
    and ${userWallet} = c.user_id * 32 + (select id from wallet_kind where code = '${kind}')
  ) is not true
  order by c.id limit ${PROBLEMS_MAX}`;

const LOST = `select 'transfer ' || t.id || ': its conversion is missing' as problem
  from transfer t left join conversion c
    on c.id = split_part(t.idempotency_key, ':', 2) and c.converted_at is not null
  where t.idempotency_key like 'conversion:%' and c.id is null
  order by t.id limit ${PROBLEMS_MAX}`;

/** Compares everything of one moment. */
export async function verifyConversions(db: Db): Promise<ConversionsReport> {
  const checks = [QUOTED, ...HALVES.map(checkHalf), LOST];
  const { counts, problems } = await findProblems<ConversionCounts>(db, COUNTS, checks);
  return { ...counts, problems };
}
