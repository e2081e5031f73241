import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findMissing, platformOf } from './add-optional-platforms.ts';

test('the lock file contains every optional dependency of every platform', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  expect(findMissing(lock)).toEqual([]);
});

test('missing platform packages are found, existing ones are not reported', () => {
  const lock = {
    packages: {
      'node_modules/a': {
        optionalDependencies: { 'a-linux-x64': '1.0.0', 'a-win32-arm64': '1.0.0' },
      },
      'node_modules/a/node_modules/a-linux-x64': { version: '1.0.0' },
    },
  };
  expect(findMissing(lock)).toEqual([['node_modules/a-win32-arm64', '1.0.0', false]]);
  expect(platformOf('@scope/cli-linux-arm64-musl')).toEqual({
    os: ['linux'],
    cpu: ['arm64'],
    libc: ['musl'],
  });
  expect(platformOf('@scope/windows-amd64')).toEqual({ os: ['win32'], cpu: ['x64'] });
});

test('the lock file contains no registry address', () => {
  expect(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).not.toMatch(
    /"resolved": "https?:/,
  );
});
