import { expect, test } from 'vitest';
import { LargeMap } from './large-map.ts';

const filled = (entries: number, partMax: number): LargeMap<string, number> => {
  const map = new LargeMap<string, number>(partMax);
  for (let n = 0; n < entries; n++) map.set(`key ${n}`, n);
  return map;
};

test('holds more entries than a part, each once', () => {
  const map = filled(100, 7);
  for (let n = 0; n < 100; n++) map.set(`key ${n}`, -n - 1);
  expect(map.size).toBe(100);
  expect(map.get('key 0')).toBe(-1);
  expect(map.get('key 99')).toBe(-100);
  expect(map.get('key 100')).toBeUndefined();
  expect(new Map(map).size).toBe(100);
});

test('entries that are deleted while all are read leave none out, and make room', () => {
  const map = filled(100, 7);
  let read = 0;
  for (const [key, n] of map) {
    read++;
    if (n % 10 !== 0) map.delete(key);
  }
  expect(read).toBe(100);
  expect([...map].map(([, n]) => n)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  map.set('key 1', 1);
  expect(map.size).toBe(11);
  for (const [key] of map) map.delete(key);
  map.delete('key 1');
  expect(map.size).toBe(0);
  expect([...map]).toEqual([]);
});

/** Those of revocations in a minute, in a map that is always full: none of its places is lost. */
test('a full map takes new entries for deleted ones without end', () => {
  const map = filled(64, 64);
  for (let n = 64; n < 10_000; n++) {
    map.delete(`key ${n - 64}`);
    map.set(`key ${n}`, n);
  }
  expect(map.size).toBe(64);
  expect(new Map(map).size).toBe(64);
});
