/** A proof: everything between a bill and the root in the ledger, in one signed document. */
import Type, { type Static } from 'typebox';

const Text = (description: string) => Type.String({ description });
const Count = (description: string) => Type.Integer({ description });

export const Proof = Type.Object(
  {
    format: Text(
      '`edge-account reward proof 3`; of hours settled before reports were noted `edge-account reward proof 2`.',
    ),
    explanation: Text('The calculation in words.'),
    bill: Type.Object({
      id: Count('The bill.'),
      user_id: Count('Whose it is.'),
      business_id: Text('`reward` or `referral_reward`.'),
      amount_direction: Count('1 credit, 2 debit.'),
      amount: Text('Decimal.'),
      currency: Text('Currency.'),
      scale: Count('Decimals of the currency: the numbers of the line are minor units.'),
      event_at: Text('The hour it was earned in.'),
    }),
    line: Type.Object({
      batch: Count('Run of settlement.'),
      leaf: Count('Position in its tree, from 0.'),
      hour: Text('The hour.'),
      rule_version: Count('Version of the rules that applied in that hour.'),
      rule_hash: Text('SHA-256 of their text.'),
      user_id: Count('Who is paid.'),
      node_id: Text('The device; empty for referral rewards.'),
      reward_type: Text('Reward type.'),
      level: Count('Referral level; 0 otherwise.'),
      part: Text('Category of the traffic, or name of the campaign.'),
      status: Text('Always `paid`.'),
      quantity: Text(
        'Milliseconds online, bytes, minor units of the base, or implausible reports.',
      ),
      rate: Text('Minor units per hour, GB or report; of percentages millionths.'),
      settled_before: Text('What earlier lines of the same hour settled.'),
      amount: Text(
        'Minor units, signed: what quantity and rate make, less what was settled before.',
      ),
      reason: Text('What limited it; empty: nothing.'),
      reports_hash: Type.Optional(
        Text(
          'SHA-256 of the usage reports in their order; empty: it is made of none. Not in format 2.',
        ),
      ),
      referee: Type.Optional(
        Text(
          'What binds a released reward to its referee and tells nobody who that is; empty: it is of no single one. Not in format 2.',
        ),
      ),
    }),
    rules: Text('The text of the rules.'),
    reports: Type.Array(
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
          'The usage reports that make up the quantity: of traffic those of the hour, each spread evenly over its hours; of a penalty the implausible ones.',
      },
    ),
    tree: Type.Object({
      salt: Text('128 random bits of this leaf.'),
      size: Count('Leaves.'),
      path: Type.Array(Type.String(), { description: 'Neighbours up to the root.' }),
      root: Text('Root of the tree.'),
    }),
    ledger: Type.Object({
      reference: Text(
        'Reference of the transfer that carries batch, number of leaves and root in the sealed ledger.',
      ),
    }),
    key_id: Text('The published key that signed.'),
    signature: Text('EdDSA over this document without its last member.'),
  },
  { description: 'Checked offline by `edge-account verify-proof FILE`.' },
);
export type Proof = Static<typeof Proof>;
export type UnsignedProof = Omit<Proof, 'signature'>;
