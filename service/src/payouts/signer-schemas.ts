/** What the signer sends and gets. */
import Type, { type Static } from 'typebox';
import { Id, StringEnum } from '../http/index.ts';
import { PasskeyAssertion } from '../identity/index.ts';
import type { TakenPayout } from './take-payouts.ts';

const TAKEN_MAX = 200;

const SignerName = Type.String({
  pattern: '^[A-Za-z0-9_-]{8,64}$',
  description: 'Names the state of the signer: what one has taken, no other gets.',
});

export const TakeBody = Type.Object(
  {
    network: Type.String({ minLength: 1, maxLength: 32, description: 'Code of the network.' }),
    signer: SignerName,
    limit: Type.Integer({ minimum: 1, maximum: TAKEN_MAX, description: 'At most so many.' }),
    decision_position: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'The last entry of the log of decisions that the signer has seen: the head shows that ' +
          'it is still there.',
      }),
    ),
  },
  { additionalProperties: false },
);

const TakenPayoutVO = Type.Object(
  {
    payout_id: Id('The payout.'),
    document: Type.String({ description: 'Canonical JSON.' }),
    document_hash: Type.String({ description: 'Its SHA-256, base64url.' }),
    approvals: Type.Array(
      Type.Object({ user_id: Id('The operator.'), passkey_credential: PasskeyAssertion }),
      { description: 'Assertions over the hash; empty when the policy approved it.' },
    ),
    owner: Type.Optional(
      Type.Object(
        {
          public_key: Type.String({ description: 'COSE key, base64url.' }),
          passkey_credential: PasskeyAssertion,
        },
        {
          description:
            'What the user has signed: the order, whose members the document has. Absent: the ' +
            'user has no passkey.',
        },
      ),
    ),
  },
  { $id: 'TakenPayout', description: 'An approved payout, with the proof of its approval.' },
);

export const TakenPayouts = Type.Object(
  {
    payouts: Type.Array(TakenPayoutVO),
    head: Type.Optional(
      Type.Object(
        {
          body: Type.String({
            description:
              'JSON, exactly as it was signed: `kind` `payout-head`, `network`, `signed_at`, ' +
              '`shards` as in a head of the ledger, `decisions`: the `position` and seal (`mac`) ' +
              'of the last entry of the log of decisions, and of the one that the signer has ' +
              'seen, and `holds`: for each payout its `document_hash` and the `step` of the ' +
              'ledger that holds its money.',
          }),
          signature: Type.String({ description: 'Ed25519, base64url.' }),
          kid: Type.String({ description: 'Key of `GET /.well-known/ledger-keys.json`.' }),
        },
        { description: 'Where the ledger stands; absent without payouts.' },
      ),
    ),
  },
  { $id: 'TakenPayouts', description: 'What is handed over.' },
);

export function toTaken({ payout, approvals }: TakenPayout): Static<typeof TakenPayoutVO> {
  return {
    payout_id: payout.id,
    document: payout.document,
    document_hash: payout.document_hash,
    approvals: approvals.flatMap(({ user_id, assertion }) =>
      user_id === null || assertion === null
        ? []
        : [{ user_id, passkey_credential: assertion as Static<typeof PasskeyAssertion> }],
    ),
    ...(payout.owner_assertion && { owner: payout.owner_assertion }),
  };
}

export const ReportBody = Type.Object(
  {
    signer: SignerName,
    reports: Type.Array(
      Type.Object(
        {
          payout_id: Id('The payout.'),
          outcome: StringEnum(
            ['sent', 'refused', 'postponed', 'nonce_used'],
            '`sent`: a transaction was signed and is given to the chain next; `refused`: back to ' +
              'the operators; ' +
              '`postponed`: a limit of the signer leaves no room now; `nonce_used`: another ' +
              'transaction took its place for good.',
          ),
          tx_hash: Type.Optional(
            Type.String({
              pattern: '^(0x)?[0-9a-fA-F]{64}$',
              description: 'Required with `sent`.',
            }),
          ),
          sender: Type.Optional(
            Type.String({
              pattern: '^0x[0-9a-fA-F]{40}$',
              description: 'With `sent` on an EVM network: the hot wallet.',
            }),
          ),
          nonce: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              description: 'With `sender`: of the transaction, and of each that replaces it.',
            }),
          ),
          coin: Type.Optional(
            Type.String({
              pattern: '^[0-9a-f]{64}:(0|[1-9][0-9]{0,5})$',
              description:
                'With `sent` on a UTXO network: an output that the transaction and each that ' +
                'replaces it spend. Hash of its transaction, a colon, its number.',
            }),
          ),
          cause_code: Type.Optional(
            StringEnum(
              ['hot_wallet'],
              'With `postponed`: the hot wallet holds too little now. Absent: a limit.',
            ),
          ),
          reason: Type.Optional(
            Type.String({
              maxLength: 200,
              pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
              description: 'In words.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: TAKEN_MAX },
    ),
  },
  { additionalProperties: false },
);
