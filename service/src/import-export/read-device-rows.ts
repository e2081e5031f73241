/** Rows of devices and deposit addresses. */
import { collectFieldErrors } from '../lib/collect-field-errors.ts';
import { isStorableText } from '../lib/exact-json.ts';
import { fieldError } from '../lib/failures.ts';
import { PLAIN_TEXT } from '../lib/text-limits.ts';
import { type ReaderContext, type RowValues, readId, readTime } from './row-values.ts';
import type { RowOf } from './schemas.ts';

const WORD_MAX = 64;
const WORDS_MAX = 32;
const PLAIN = new RegExp(PLAIN_TEXT);

function isWord(word: unknown): word is string {
  const isBounded = typeof word === 'string' && word.length >= 1 && word.length <= WORD_MAX;
  return isBounded && isStorableText(word) && PLAIN.test(word);
}

function readWords(text: string | undefined, field: string): string[] {
  if (text === undefined) return [];
  const refuse = () =>
    fieldError(field, 'not_a_list', `must be a JSON array of at most ${WORDS_MAX} different texts`);
  let words: unknown;
  try {
    words = JSON.parse(text);
  } catch {
    throw refuse();
  }
  if (!Array.isArray(words) || words.length > WORDS_MAX || !words.every(isWord)) throw refuse();
  if (new Set(words).size < words.length) throw refuse();
  return words;
}

export function readDevice(context: ReaderContext, row: RowOf<'devices'>): RowValues {
  const [userId, createdAt, capabilities, categories] = collectFieldErrors(
    () => readId(row.user_id, 'user_id', context.idEnd),
    () => readTime(row.created_at, 'created_at', context.now),
    () => readWords(row.capabilities, 'capabilities'),
    () => readWords(row.granted_categories, 'granted_categories'),
    () => {
      if (row.key_thumbprint !== undefined && row.key_thumbprint !== row.node_id)
        throw fieldError('key_thumbprint', 'not_node_id', 'must be equal to node_id');
    },
  );
  const { node_id, device_type, name = '', browser = '', os = '', timezone = '' } = row;
  return {
    key: node_id,
    userId,
    position: null,
    data: {
      device_type,
      key_thumbprint: row.key_thumbprint ?? null,
      name,
      browser,
      extension_version: row.extension_version ?? '',
      os,
      timezone,
      capabilities,
      granted_categories: categories,
      created_at: createdAt,
    },
  };
}

export function readAddress(context: ReaderContext, row: RowOf<'deposit_addresses'>): RowValues {
  const [userId, createdAt] = collectFieldErrors(
    () => readId(row.user_id, 'user_id', context.idEnd),
    () => readTime(row.created_at, 'created_at', context.now),
    () => {
      if ((row.xpub === undefined) !== (row.derivation_index === undefined))
        throw fieldError('derivation_index', 'required', 'and xpub are given together');
    },
  );
  const { network, address, xpub = null, derivation_index: index } = row;
  return {
    key: `${network}/${address}`,
    userId,
    position: null,
    data: {
      network,
      address,
      xpub,
      derivation_index: index === undefined ? null : Number(index),
      created_at: createdAt,
    },
  };
}
