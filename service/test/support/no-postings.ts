/** For tests of events without postings. */
import type { PostingSource } from '../../src/events/index.ts';

const unexpected = (): never => {
  throw new Error('no posting was expected');
};

export const NO_POSTINGS: PostingSource = {
  idOf: unexpected,
  placeOf: unexpected,
  describe: unexpected,
  findWallets: async () => [],
  readEntries: unexpected,
};
