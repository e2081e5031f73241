/** Balances, bills, holds, earnings, conversions, deposits, payouts and purchases. */
import { entriesOfWallets, TRANSFER_OF_ENTRY } from '../ledger/index.ts';
import { exact, fileOf, money, text } from './person-file.ts';

/** The wallets of the user: see `account.wallet_id`. */
const inWallets = (alias: string): string =>
  `${alias}.wallet_id >= :user_id::bigint * 32 and ${alias}.wallet_id < :user_id::bigint * 32 + 32`;
const WALLETS = inWallets('t');
/** Of both, as rows and packed. */
const ENTRIES = entriesOfWallets(
  'wallet_id >= :user_id::bigint * 32 and wallet_id < :user_id::bigint * 32 + 32',
);
const BY_ID = 'join currency c on c.id = t.currency_id';
const BY_CODE = 'join currency c on c.code = t.currency';
const KIND = 'join wallet_kind k on k.id = t.wallet_id % 32';

const NUMBER = 'the number of a name that is shown';
const INTERNAL = 'how the service recognises a repeated request';

export const MONEY_FILES = [
  fileOf('account', {
    name: 'balances',
    description: 'The balance of each wallet and currency.',
    also: ['wallet_kind', 'currency'],
    from: `account t ${BY_ID} ${KIND}`,
    where: WALLETS,
    keys: ['t.wallet_id', 't.currency_id'],
    omitted: { currency_id: NUMBER, kind_id: NUMBER, wallet_id: NUMBER },
    shown: {
      wallet: text('k.code'),
      currency: text('c.code'),
      balance: money('t.credits - t.debits - t.held'),
      debits: money('t.debits'),
      credits: money('t.credits'),
      held: money('t.held'),
      deposited: money('t.deposited'),
      withdrawn: money('t.withdrawn'),
    },
  }),
  fileOf('entry', {
    name: 'bills',
    description: 'Every entry of every wallet; the direction 1 is a credit, 2 a debit.',
    also: ['transfer', 'entry_pack', 'transaction_type', 'wallet_kind', 'currency'],
    rows: ENTRIES,
    // One by one: without statistics a planner would read all transfers for a page.
    from: `${ENTRIES} t ${BY_ID} ${KIND}
      cross join lateral (select t.*) e cross join ${TRANSFER_OF_ENTRY} f
      join transaction_type b on b.id = t.business_id`,
    where: WALLETS,
    keys: ['t.wallet_id', 't.position'],
    readsInOrder: true,
    omitted: { currency_id: NUMBER, wallet_id: NUMBER, other_wallet: NUMBER },
    shown: {
      wallet: text('k.code'),
      currency: text('c.code'),
      business_id: text('b.code'),
      amount: money('t.amount'),
      balance_after: money('t.balance_after'),
      event_at: ['f.event_at', 'time'],
      reward_type: text('f.reward_type'),
      node_id: text('f.node_id'),
      reference: text('f.reference'),
      remark: text('f.remark'),
    },
  }),
  fileOf('hold', {
    name: 'holds',
    description: 'Money that was set aside.',
    also: ['wallet_kind', 'currency', 'transaction_type'],
    from: `hold t ${BY_ID} ${KIND} join transaction_type b on b.id = t.business_id`,
    where: WALLETS,
    keys: ['t.wallet_id', 't.id'],
    omitted: { currency_id: NUMBER, wallet_id: NUMBER },
    shown: {
      wallet: text('k.code'),
      currency: text('c.code'),
      business_id: text('b.code'),
      amount: money('t.amount'),
      remaining: money('t.remaining'),
    },
  }),
  fileOf('hold_step', {
    name: 'hold_steps',
    description: 'How holds were settled and released.',
    also: ['hold', 'currency'],
    // Hold by hold: without statistics a planner would read the steps of all users.
    from: `hold h cross join lateral (
        select * from hold_step where hold_id = h.id offset 0) t
      join currency c on c.id = h.currency_id`,
    where: inWallets('h'),
    keys: ['h.wallet_id', 'h.id', 't.id'],
    omitted: { request_hash: INTERNAL },
    shown: { amount: money('t.amount'), remaining: money('t.remaining') },
  }),
  fileOf('earning_day', {
    description: 'What was earned on each day, by type of reward and device.',
    also: ['currency'],
    from: `earning_day t ${BY_ID}`,
    keys: ['t.day', 't.currency_id', 't.reward_type', 't.node_id'],
    readsInOrder: true,
    omitted: { currency_id: NUMBER },
    shown: { currency: text('c.code'), amount: money('t.amount') },
  }),
  fileOf('earning_total', {
    description: 'What was earned since the beginning.',
    also: ['currency', 'wallet_kind'],
    from: `earning_total t ${BY_ID} join wallet_kind k on k.id = t.kind_id`,
    keys: ['t.kind_id', 't.currency_id', 't.reward_type'],
    omitted: { currency_id: NUMBER, kind_id: NUMBER },
    shown: { wallet: text('k.code'), currency: text('c.code'), amount: money('t.amount') },
  }),
  fileOf('conversion', {
    name: 'conversions',
    description: 'Quotes and conversions.',
    also: ['currency'],
    from: `conversion t ${BY_ID} join currency o on o.id = t.to_currency_id`,
    keys: ['t.created_at', 't.id'],
    omitted: { currency_id: NUMBER, to_currency_id: NUMBER },
    shown: {
      currency: text('c.code'),
      to_currency: text('o.code'),
      amount: money('t.amount'),
      to_amount: money('t.to_amount', 'o'),
      ...exact('price'),
    },
  }),
  fileOf('deposit_address', {
    name: 'deposit_addresses',
    description: 'Addresses of chains that were issued.',
    keys: ['t.family', 't.id'],
    omitted: { address_key: 'derived from the address' },
  }),
  fileOf('deposit', {
    name: 'deposits',
    description: 'Payments from chains. The amount is in minor units where there is no currency.',
    also: ['currency'],
    from: 'deposit t left join currency c on c.code = t.currency',
    keys: ['t.detected_at', 't.id'],
    shown: {
      amount: [`coalesce(${money('t.amount')[0]}, t.amount::text)`, 'decimal'],
      ...exact('raw_amount'),
    },
  }),
  fileOf('payout_address', {
    name: 'payout_addresses',
    description: 'Addresses that payouts may go to.',
    keys: ['t.id'],
    omitted: { address_key: 'derived from the address' },
  }),
  fileOf('payout', {
    name: 'payouts',
    description: 'Requests to be paid on a chain; the network fee is in minor units of its coin.',
    also: ['currency'],
    from: `payout t ${BY_CODE}`,
    keys: ['t.id'],
    omitted: { request_hash: INTERNAL },
    shown: { amount: money('t.amount'), fee: money('t.fee'), ...exact('network_fee') },
  }),
  fileOf('payout_transaction', {
    name: 'payout_transactions',
    description: 'Transactions of chains that paid.',
    also: ['payout'],
    where: 't.payout_id in (select id from payout where user_id = :user_id)',
    keys: ['t.payout_id', 't.tx_hash'],
  }),
  fileOf('payout_decision', {
    name: 'payout_decisions',
    description: 'How the payouts were decided.',
    also: ['payout'],
    // Payout by payout: without statistics a planner would read the decisions of all users.
    from: `payout p cross join lateral (
        select * from payout_decision where payout_id = p.id offset 0) t`,
    where: 'p.user_id = :user_id',
    keys: ['p.id', 't.position'],
    omitted: {
      decided_by: 'personal data of an operator',
      user_id: 'personal data of an operator',
      assertion: 'personal data of an operator',
      mac: 'protects the audit log',
    },
  }),
  fileOf('package_purchase', {
    name: 'purchases',
    description: 'Packages that were bought.',
    also: ['currency'],
    from: `package_purchase t ${BY_CODE}`,
    keys: ['t.id'],
    shown: { amount: money('t.amount'), refunded: money('t.refunded') },
  }),
  fileOf('package_refund', {
    name: 'refunds',
    description: 'Refunds of purchases.',
    also: ['package_purchase', 'currency'],
    from: `package_purchase p join package_refund t on t.purchase_id = p.id
      join currency c on c.code = p.currency`,
    where: 'p.user_id = :user_id',
    keys: ['p.id', 't.id'],
    shown: { amount: money('t.amount') },
  }),
] as const;
