/** Lists of money that continue behind the last record of a page, however deep. */
import Type from 'typebox';
import { type Failure, fieldError } from '../lib/failures.ts';

const SIZE_MAX = 100;
/** Sixteen places of a shard and a number each, or 31 of wallets, at most. */
const CURSOR_MAX = 600;

/** Records of a page, without `size`. */
export const SIZE = 20;

export const CursorParameters = {
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: CURSOR_MAX, description: '`next` of the page before.' }),
  ),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SIZE_MAX,
      description: `Records per page, 1 to ${SIZE_MAX}. Default: ${SIZE}.`,
    }),
  ),
};

export const Next = Type.Optional(
  Type.String({ description: '`cursor` of the next page; absent: this is the last one.' }),
);

export const malformedCursor = (): Failure =>
  fieldError('cursor', 'malformed', 'must be `next` of a page');
