/** Texts from outside: by the API, and in imported files. */

/** No control characters, and none that change the direction of text or have no width. */
export const PLAIN_TEXT =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff]*$';

/** Of postings: no control characters, and none that turn the reading direction around. */
export const POSTING_TEXT =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*$';

/** Characters of texts that come with postings, at most. */
export const TEXT_MAX = {
  reference: 256,
  nodeId: 256,
  remark: 500,
  purchaseReference: 200,
} as const;
