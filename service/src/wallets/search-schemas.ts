/** The search of bills. */
import Type, { type Static } from 'typebox';
import { Timestamp } from '../http/index.ts';
import { BillFilterParameters, BillRecord } from './schemas.ts';

export const BillSearchQuery = Type.Object({
  text: Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      'Words that are all in the types, the currency, the other side, the reference or the ' +
      'remark of a bill, without regard to case and accents; or amounts as far as they are typed ' +
      '(`12` is the whole part, `-12.5` a debit that begins so); or the number of a bill or ' +
      'transfer.',
  }),
  codes: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'What the text stands for in the language of the reader, separated by commas: ' +
        'transaction types, reward types, other sides. Bills with one of them match, too.',
    }),
  ),
  ...BillFilterParameters,
  cursor: Type.Optional(
    Type.String({
      maxLength: 32,
      description: '`next` of the search before: searches older bills.',
    }),
  ),
  size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, description: 'Bills at most, 1 to 20. Default: 20.' }),
  ),
});
export type BillSearchQuery = Static<typeof BillSearchQuery>;
export const BillSearchPage = Type.Object(
  {
    records: Type.Array(BillRecord, {
      description: 'What the number names, if the text is one; then the others, newest first.',
    }),
    searched_back_to: Type.Optional(
      Timestamp('When the oldest bill that was looked at was posted. Absent: there are none.'),
    ),
    next: Type.Optional(
      Type.String({ description: '`cursor` of older bills; absent: all were looked at.' }),
    ),
  },
  { $id: 'BillSearchPage', description: 'Bills that were found, and how far back was searched.' },
);
export type BillSearchPage = Static<typeof BillSearchPage>;
