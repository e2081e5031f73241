import { expect, test } from 'vitest';
import { offlineFirst } from './offline-first.ts';

test('devices that are offline come first, and each kind keeps its order', () => {
  const devices = [
    { name: 'desk', status: 'online' },
    { name: 'old', status: 'disconnected' },
    { name: 'attic', status: 'offline' },
    { name: 'lab', status: 'online' },
    { name: 'cellar', status: 'offline' },
  ] as const;
  const names = offlineFirst(devices).map(({ name }) => name);
  expect(names).toEqual(['attic', 'cellar', 'desk', 'lab', 'old']);
  expect(devices[0].name).toBe('desk');
});
