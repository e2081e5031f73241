/** Tables that refer to users and are not in the archive, each with the reason. */
const QUEUE = 'a queue of work that is done within seconds';
const OTHERS = 'about other users';
const DERIVED = 'counts rows that are in the archive';
const SECRETS =
  'codes, tokens and grants under hashes of them: secrets. What they were given for is in ' +
  '`consent`, `application_session`, `user_session` and `device`';
const SETTLEMENT = 'about a settlement as a whole; its lines are in the archive';
const PROTECTS = 'protects the books; says nothing about a user';
const OPERATOR = 'a record of the operator, who names staff in it';

export const LEFT_OUT: Readonly<Record<string, string>> = {
  registration: 'kept for a day until the address is verified; the account has the same',
  oidc_object: SECRETS,
  device_token: SECRETS,
  connect_ticket: 'a secret that is valid for 30 seconds',
  token_revocation: 'numbers of tokens that are no longer valid, until they would have expired',
  logout_notice: 'a queue of messages to applications; names the session only',
  brand: 'what the network shows to all users; its address is that of the sender of mails',
  person_key: 'the key under which what identifies is encrypted: a secret',
  dpop_proof: 'numbers of proofs that were used; they name no user',
  rate_limit: 'counters of minutes',
  known_network: 'hashes of the networks of all users; they name no user',

  entry_count_block: DERIVED,
  ledger_removal: PROTECTS,
  ledger_archived: PROTECTS,
  refused_posting: 'names of requests that were refused',
  batch_seal: PROTECTS,
  imported_row: 'hashes of rows of another system; what they brought is in the archive',

  device_list: 'a version number',
  device_silence: 'which silence of a device was notified: the notification is in the archive',
  notification_progress: QUEUE,
  push_message: 'which notification waits for which browser: both are in the archive',
  late_uptime: QUEUE,

  community_event: QUEUE,
  community_downline: OTHERS,
  community_downline_build: QUEUE,
  community_depth_total: DERIVED,

  reward_batch: SETTLEMENT,
  reward_bucket: SETTLEMENT,
  reward_limited: QUEUE,
  reward_late: QUEUE,
  reward_payment: SETTLEMENT,
  reward_payment_step: QUEUE,
  reward_chunk: SETTLEMENT,
  reward_refusal: SETTLEMENT,

  audit_entry: OPERATOR,
  audit_unsealed: OPERATOR,
  audit_seal: PROTECTS,
  audit_sealed: PROTECTS,
  payout_policy: OPERATOR,
  payout_stop: OPERATOR,
  reward_rules: OPERATOR,
  reward_activation: OPERATOR,
  registration_token: OPERATOR,
};
