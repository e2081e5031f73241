/** Entity tags (RFC 9110 8.8.3): by them callers know whether a record is still as they read it. */
import { createHash } from 'node:crypto';
import Type, { type TSchema } from 'typebox';

/** A strong tag: it changes whenever the record does. */
export function entityTagOf(record: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(record)).digest('base64url')}"`;
}

/** Its text may contain commas. */
const TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '');

/** `*` stands for any record, and these always are there. */
function lists(header: string, isSame: (tag: string) => boolean): boolean {
  return header.trim() === '*' || (header.match(TAGS) ?? []).some(isSame);
}

/** `If-None-Match` (13.1.2): the caller has the record as it is. Weak tags are equal to strong. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return lists(ifNoneMatch ?? '', (tag) => withoutWeakness(tag) === withoutWeakness(etag));
}

/** `If-Match` (13.1.1): the record is as the caller expects, or anything is expected. */
export function isExpected(ifMatch: string | undefined, etag: string): boolean {
  // A weak tag is none of these: two records that differ may share it.
  return ifMatch === undefined || lists(ifMatch, (tag) => tag === etag && tag.startsWith('"'));
}

/** Of a request that is refused with `precondition_failed` when its record was changed. */
export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The `ETag` that the record was read with, several of them, or `*` (RFC 9110 13.1.1): ' +
        'nothing is changed where the record is another one meanwhile. Left out: changed anyway.',
    }),
  ),
});

/** A JSON answer with an `ETag`. */
export function TaggedAnswer<T extends TSchema>(schema: T) {
  const ETag = Type.String({ description: 'Changes with the record (RFC 9110 8.8.3).' });
  return { ...schema, headers: { ETag } };
}
