import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderSdk } from './generate-sdk.ts';

test('the types of the SDK match the service (npm run sdk)', async () => {
  const committed = readFileSync(new URL('../sdk/src/generated/api.ts', import.meta.url), 'utf8');
  // Compared as a flag: a diff of thousands of lines is of no use.
  expect((await renderSdk()) === committed).toBe(true);
});
