/** A proof: one signed document that leads from a bill to the Merkle roots in the ledger. */
import Type, { type Static } from 'typebox';

const Text = (description: string) => Type.String({ description });
const Count = (description: string) => Type.Integer({ description });

const Bill = Type.Object({
  id: Count('The bill.'),
  user_id: Count('Owner of the bill.'),
  business_id: Text('`reward` or `referral_reward`.'),
  amount_direction: Count('1 credit, 2 debit.'),
  amount: Text('Decimal.'),
  currency: Text('Currency.'),
  scale: Count('Decimals of the currency: the numbers of the line are minor units.'),
  event_at: Text('The hour it was earned in; of a bill of a day, when the UTC day began.'),
});

const Line = Type.Object({
  batch: Count('Settlement.'),
  leaf: Count('Position in its tree, from 0; in format 4, plus 2^32 for each bucket before it.'),
  hour: Text('The hour.'),
  rule_version: Count('Version of the rules that applied in that hour.'),
  rule_hash: Text('SHA-256 of their text.'),
  user_id: Count('The user who is paid.'),
  node_id: Text('The device; empty for referral rewards.'),
  reward_type: Text('Reward type.'),
  level: Count('Referral level; 0 otherwise.'),
  part: Text('Category of the traffic, or name of the campaign.'),
  status: Text('Always `paid`.'),
  quantity: Text('Milliseconds online, bytes, minor units of the base, or implausible reports.'),
  rate: Text('Minor units per hour, GB or report; of percentages millionths.'),
  settled_before: Text('Amount that earlier lines of the same hour settled.'),
  amount: Text(
    'Minor units, signed: the product of quantity and rate, less what was settled before.',
  ),
  reason: Text('The limit that reduced it; empty: none.'),
  reports_hash: Type.Optional(
    Text('SHA-256 of the traffic reports in their order; empty: none. Not in format 2.'),
  ),
  referee: Type.Optional(
    Text(
      'Commitment to the referee of a released reward, which does not disclose the user; ' +
        'empty: no single referee. Not in format 2.',
    ),
  ),
});

const Reports = Type.Array(
  Type.Object({
    client_id: Text('The relay.'),
    report_id: Text('Its report.'),
    bytes_up: Text('Bytes.'),
    bytes_down: Text('Bytes.'),
    category: Text('Category; empty: none.'),
    from: Text('Begin.'),
    to: Text('End.'),
  }),
  {
    description:
      'The traffic reports that make up the quantity: for traffic, those of the hour, each ' +
      'spread evenly over its hours; for a penalty, the implausible ones.',
  },
);

const Tree = Type.Object({
  salt: Text('128 random bits of this leaf.'),
  size: Count('Leaves of the settlement.'),
  bucket: Type.Optional(
    Type.Object(
      {
        number: Count('Position of its root among the roots of buckets, from 0.'),
        size: Count('Leaves.'),
        count: Count('Buckets of the settlement.'),
      },
      { description: 'The bucket whose tree has the leaf. Only in format 4.' },
    ),
  ),
  path: Type.Array(Type.String(), {
    description:
      'Neighbours up to the root; in format 4, first up to the root of the bucket, then from ' +
      'there.',
  }),
  root: Text('Root of the tree.'),
});

const Ledger = Type.Object({
  reference: Text(
    'Reference of the transfer in the sealed ledger that carries batch, number of leaves and ' +
      'root.',
  ),
});

const KeyId = Text('Id of the published key that signed it.');
const Signature = Text('EdDSA over this document without its last member.');

const LineProof = Type.Object(
  {
    format: Text(
      '`edge-account reward proof 4` for hours that were settled in buckets of users; ' +
        '`edge-account reward proof 3` for corrections, releases and earlier hours, ' +
        '`edge-account reward proof 2` for those before reports were recorded.',
    ),
    explanation: Text('The calculation as text.'),
    bill: Bill,
    line: Line,
    rules: Text('The text of the rules.'),
    reports: Reports,
    tree: Tree,
    ledger: Ledger,
    key_id: KeyId,
    signature: Signature,
  },
  { description: 'Of a bill that pays one line.' },
);
export type LineProof = Static<typeof LineProof>;

const DayProof = Type.Object(
  {
    format: Text('`edge-account reward proof 5`.'),
    bill: Bill,
    lines: Type.Array(
      Type.Object({
        explanation: Text('The calculation as text.'),
        line: Line,
        reports: Reports,
        tree: Tree,
        ledger: Ledger,
      }),
      { description: 'What the bill pays, by hour: the amounts add up to that of the bill.' },
    ),
    rules: Type.Array(
      Type.Object({
        version: Count('`rule_version` of lines.'),
        text: Text('The text of the rules.'),
      }),
      { description: 'The rules that the lines name.' },
    ),
    key_id: KeyId,
    signature: Signature,
  },
  { description: 'Of a bill that pays the lines of a day.' },
);
type DayProof = Static<typeof DayProof>;

export const Proof = Type.Union([LineProof, DayProof], {
  description: 'Checked offline by `edge-account verify-proof FILE`.',
});
export type Proof = Static<typeof Proof>;
export type ProofBill = LineProof['bill'];
export type UnsignedProof = Omit<LineProof, 'signature'> | Omit<DayProof, 'signature'>;
