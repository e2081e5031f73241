import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderConfiguration } from './write-configuration-docs.ts';

test('docs/configuration.md matches the schema (npm run docs)', () => {
  expect(readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')).toBe(
    renderConfiguration(),
  );
});
