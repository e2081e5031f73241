/**
 * Where each table stands once users are spread over cells (ADR 0069), and why each unique key and
 * each foreign key is right there. Today there is one cell, with the number 0.
 */

/** Bits of an id for the cell. */
export const CELL_BITS = 10;

/**
 * Bits of whole ids. A wallet id of a user is 32 times a user id, and a bill id twice a transfer
 * id, and all are below 2^53. Ids of house wallets are negative.
 */
export const ID_BITS = { user: 47, transfer: 52, device: 53, houseWallet: 52 } as const;

/**
 * `user`: with the user whose row it is. `cell`: in each cell, of its own. `reference`: equal rows
 * in each cell. `community`, `directory`: in one database for all cells.
 */
export type Placement = 'user' | 'cell' | 'reference' | 'community' | 'directory';

export const TABLES: Readonly<Record<Placement, readonly string[]>> = {
  user: [
    ...['app_user', 'authenticator', 'passkey', 'recovery_code', 'user_security', 'ticket'],
    ...['user_session', 'application_session', 'reauthentication', 'security_event', 'consent'],
    ...['person_key', 'upstream_identity', 'user_note'],
    ...['account', 'transfer', 'entry', 'entry_count_block', 'hold', 'hold_step'],
    ...['entry_pack', 'refused_posting', 'earning_day', 'earning_total', 'conversion'],
    ...['deposit_address', 'deposit', 'payout_address', 'payout', 'payout_transaction'],
    ...['payout_decision', 'package_purchase', 'package_refund', 'imported_row'],
    ...['device', 'device_gap', 'device_hour', 'device_list', 'device_presence', 'device_token'],
    ...['device_usage', 'late_uptime', 'traffic_hour', 'traffic_report', 'refused_report'],
    ...['live_connection', 'connect_ticket', 'logout_notice', 'mail', 'device_silence'],
    ...['notification', 'notification_choice', 'notification_setting', 'notification_mail'],
    ...['push_subscription', 'push_message'],
    ...['reward_user', 'referral_eligibility', 'reward_line', 'reward_refusal', 'reward_limited'],
    'reward_late',
  ],
  cell: [
    ...['ledger_shard', 'batch_seal', 'ledger_head', 'ledger_key', 'reference_data_version'],
    ...['ledger_removal', 'house_balance_day', 'notification_progress', 'device_watch'],
    'ledger_archived',
    ...['event', 'event_counter', 'webhook_delivery', 'connection_node', 'idempotency'],
    ...['token_revocation', 'token_lifetime', 'dpop_proof', 'oidc_object', 'registration'],
    ...['reward_batch', 'reward_bucket', 'reward_chunk', 'schema_migration', 'master_key_check'],
    ...['reward_payment', 'reward_payment_step'],
    ...['network', 'token', 'deposit_wallet', 'chain_state', 'chain_block', 'chain_backfill'],
    ...['import_certificate', 'payout_total', 'payout_decision_end'],
    ...['application_role', 'protected_table', 'replication_mark'],
    ...['audit_entry', 'audit_unsealed', 'audit_seal', 'audit_sealed'],
  ],
  reference: [
    ...['currency', 'wallet_kind', 'transaction_type', 'price', 'price_feed'],
    ...['oauth_client', 'upstream_provider', 'registration_token', 'signing_key', 'webhook'],
    ...['client_logo', 'brand', 'brand_logo'],
    ...['resource_server', 'resource_scope'],
    ...['reward_rules', 'reward_activation', 'payout_policy', 'payout_stop'],
  ],
  community: [
    ...['community_event', 'community_state', 'community_member', 'community_stats'],
    ...['community_downline', 'community_downline_build', 'community_depth_total'],
    ...['community_purchase_total', 'community_note'],
  ],
  directory: ['rate_limit', 'known_network'],
};

/** Columns that name a cell: ids of users, devices, wallets, transfers and holds, with its bits. */
export const CELL_COLUMNS: ReadonlySet<string> = new Set([
  ...['user_id', 'device_id', 'wallet_id', 'transfer_id', 'hold_id', 'fee_hold_id', 'reverses'],
  'first_transfer',
]);
/** Columns of such a name with another meaning: an account key of a chain. */
export const NO_CELL_COLUMNS: ReadonlySet<string> = new Set(['deposit_address.wallet_id']);

/** Tables whose `id` has the bits of the cell. */
export const CELL_ID_TABLES: ReadonlySet<string> = new Set([
  ...['app_user', 'device', 'transfer', 'hold', 'hold_step', 'refused_posting'],
]);

/** Unique keys of `user` and `cell` tables that do not name a cell, by the reason why they hold. */
export const KEYS: Readonly<Record<string, readonly string[]>> = {
  'random, or the hash of a secret: no two cells make the same': [
    ...['application_session_pkey', 'reauthentication_pkey', 'user_session_pkey', 'ticket_pkey'],
    ...['registration_pkey', 'oidc_object_pkey', 'device_token_pkey', 'dpop_proof_pkey'],
    ...['connect_ticket_pkey', 'passkey_credential_key', 'connection_node_pkey'],
    'push_subscription_endpoint_key',
  ],
  'a number of the cell, used inside it or by the user whose token names the cell': [
    ...['conversion_pkey', 'deposit_pkey', 'deposit_address_pkey', 'package_purchase_pkey'],
    ...[
      'package_refund_pkey',
      'passkey_pkey',
      'upstream_identity_pkey',
      'payout_pkey',
      'payout_address_pkey',
    ],
    ...['payout_decision_pkey', 'payout_transaction_pkey', 'refused_report_pkey'],
    ...['traffic_report_id_key', 'security_event_pkey', 'logout_notice_pkey', 'mail_pkey'],
    ...['notification_pkey', 'push_subscription_pkey', 'push_message_pkey'],
    ...['import_certificate_pkey', 'user_note_pkey', 'audit_entry_pkey', 'audit_unsealed_pkey'],
    ...['audit_seal_pkey', 'audit_sealed_pkey'],
    ...['chain_backfill_pkey', 'token_revocation_pkey', 'event_pkey', 'webhook_delivery_pkey'],
  ],
  'a position in the events of the cell; messages of webhooks name the cell beside it': [
    ...['event_position_key', 'event_counter_pkey', 'webhook_delivery_event_key'],
  ],
  'unique in all cells: the directory reserves it before the cell stores it': [
    ...['app_user_email_key_key', 'app_user_referral_code_key', 'device_node_living_key'],
    ...['oidc_object_user_code_idx', 'upstream_identity_subject_key'],
  ],
  'an operator chose it: the directory keeps which cell the key of a client went to': [
    ...['transfer_idempotency_key', 'refused_posting_pkey', 'hold_step_idempotency_key'],
    ...['payout_idempotency_key', 'idempotency_pkey'],
  ],
  'a source names its rows: each is imported into the cell of its user': ['imported_row_pkey'],
  'a report goes to the cell of its device, and its relay gives each report one id': [
    'traffic_report_pkey',
  ],
  'each cell settles its users; the roots of all cells combine to one': [
    ...['reward_batch_pkey', 'reward_batch_hour_key', 'reward_batch_open_key'],
    ...['reward_chunk_pkey', 'reward_line_pkey', 'reward_refusal_pkey', 'reward_bucket_pkey'],
    ...['reward_payment_pkey', 'reward_payment_open_key', 'reward_payment_step_pkey'],
  ],
  'each cell limits the payouts of its users: its share of the limit of all': ['payout_total_pkey'],
  'each cell has its own 16 shards, and signs its own heads; one signed root names them all': [
    ...['ledger_shard_pkey', 'batch_seal_pkey'],
    ...['ledger_head_pkey', 'ledger_key_pkey', 'house_balance_day_pkey', 'ledger_removal_pkey'],
    'ledger_archived_pkey',
  ],
  'each cell derives addresses from an account key of its own, and watches those only': [
    ...['deposit_wallet_pkey', 'deposit_wallet_xpub_key', 'deposit_address_key_key'],
    ...['deposit_address_index_key', 'deposit_event_key', 'network_pkey', 'network_chain_id_key'],
    ...['token_pkey', 'token_contract_key', 'token_currency_key', 'chain_state_pkey'],
    'chain_block_pkey',
  ],
  'one row, or a list, of the database itself': [
    ...[
      'reference_data_version_pkey',
      'master_key_check_pkey',
      'replication_mark_pkey',
      'token_lifetime_pkey',
      'schema_migration_pkey',
    ],
    ...['notification_progress_pkey', 'device_watch_pkey'],
    ...['payout_decision_end_pkey', 'application_role_pkey', 'protected_table_pkey'],
  ],
};

/** Foreign keys to a row of the same user, beside `user_id` and `device_id`. */
export const SAME_USER: readonly string[] = [
  ...['deposit_address_fkey', 'payout_address_fkey', 'package_refund_purchase_fkey'],
  ...['payout_transaction_payout_fkey', 'payout_decision_payout_fkey'],
  ...['push_message_subscription_fkey', 'push_message_notification_fkey'],
];

/** Foreign keys that a user in another cell would break, and their substitutes. */
export const CROSSING: Readonly<Record<string, string>> = {
  app_user_referrer_fkey: 'becomes a plain id: the tree is kept by the community alone',
  registration_referrer_fkey: 'becomes a plain id: the directory resolves the referral code',
  payout_decision_user_fkey: 'becomes a plain id: an operator decides for users of any cell',
};

/**
 * Files of `service/src` whose SQL brings users of different cells together, with what replaces
 * it (`find-crossing-joins.ts` finds them).
 */
export const CROSSING_JOINS: readonly {
  readonly substitute: string;
  readonly files: readonly string[];
}[] = [
  {
    substitute:
      'the community has the tree, and a copy of name, address, status, referrer and ' +
      'purchases of each member that events of the cells keep: what it joins is the ' +
      'copy',
    files: [
      'community/downline-sequence.ts',
      'community/load-tree.ts',
      'community/queries.ts',
      'community/materialise-downlines.ts',
      'community/rebuild-community.ts',
      'community/roll-up.ts',
      'community/search-members.ts',
      'community/set-note.ts',
      'community/verify-community.ts',
      'community/verify-rows.ts',
      'community/write-tree.ts',
    ],
  },
  {
    substitute:
      'the sum of purchases is updated with the purchase: it becomes an event of the ' + 'cell',
    files: ['community/record-purchase.ts'],
  },
  {
    substitute: 'notes about a member are with the community: it exports and erases them itself',
    files: ['person-data/erase-users.ts', 'person-data/network-files.ts'],
  },
  {
    substitute:
      'referrers are paid from what referees of other cells earned: each cell sends the ' +
      'sums of its users by hour, referrer and level (lineage from the community), and ' +
      'a cell computes the shares of its users once the sums of all cells are there; ' +
      'corrections send the sums anew',
    files: [
      'rewards/referral-reward-query.ts',
      'rewards/compute-release.ts',
      'rewards/dry-run-referrals.ts',
    ],
  },
  {
    substitute:
      'held lines stand with the referrer, the decision with the referee: the cell of ' +
      'the referee sends it to those of the referrers, each of which releases its own ' +
      'lines',
    files: [
      'rewards/held-rewards.ts',
      'rewards/list-lines.ts',
      'rewards/closed-lines.ts',
      'rewards/verify-settlements.ts',
    ],
  },
  {
    substitute: 'it reads the number of the referee, and joins nothing by it',
    files: ['rewards/reward-lines.ts'],
  },
  {
    substitute:
      'addresses and keys of devices are compared with those of all users ' +
      '(sharedIdentitySql): the directory gets a hash of each with the user, and ' +
      'answers which are shared',
    files: ['rewards/referral-eligibility.ts'],
  },
  {
    substitute:
      'devices_per_address ranks all devices at an address: the directory ranks them by ' +
      'a hash of the address, and each cell asks it before it settles (reward_limited)',
    files: ['rewards/online-device-query.ts'],
  },
  {
    substitute:
      'limits of devices and of live connections at an address: each cell has its ' +
      'share, as of payouts, or the directory counts',
    files: ['devices/register-device.ts', 'devices/connection-statements.ts'],
  },
  {
    substitute: 'operators ask each cell, and add up the answers',
    files: ['devices/find-devices.ts'],
  },
  {
    substitute:
      'it marks imported devices that have no address yet, and compares them with no ' + 'other',
    files: ['devices/import-devices.ts'],
  },
  {
    substitute: 'a referrer of an import may be in another cell: the directory knows it',
    files: ['import-export/check-staged.ts'],
  },
];
