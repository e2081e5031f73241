/**
 * The size of a test: minimal in `npm test`, larger in `npm run test:full`, largest in
 * `npm run soak`. The scripts of package.json set `TEST_RUN`.
 */
export type RunSize = 'quick' | 'full' | 'soak';

function readRunSize(text: string | undefined): RunSize {
  if (text === undefined || text === '') return 'quick';
  if (text === 'quick' || text === 'full' || text === 'soak') return text;
  throw new Error(`TEST_RUN must be quick, full or soak, not ${text}`);
}

export const runSize = readRunSize(process.env.TEST_RUN);

/** The value for this run. */
export const sized = <T>(values: Readonly<Record<RunSize, T>>): T => values[runSize];
