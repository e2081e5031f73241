/** Characters of texts that come with postings, at most: by the API, and in imported files. */
export const TEXT_MAX = {
  reference: 256,
  nodeId: 256,
  remark: 500,
  purchaseReference: 200,
} as const;
