import { expect, test } from 'vitest';
import { nodeText } from './node-text.ts';

const t = {
  find: (_: string, path: string, values: object = {}) =>
    path === 'nameOf' ? JSON.stringify(values) : undefined,
};
const ID = 'a0FoeH-CZDUoylGQwJSeMapZ9Chb_8Ssc9XbE9xFx8w';
const devices = [
  { node_id: 'one', name: 'Laptop', browser: 'Chrome', os: 'Linux' },
  { node_id: 'two', name: 'Chrome on Linux', browser: 'Chrome', os: 'Linux' },
];

test('a device is called by its name, or by what it is', () => {
  expect(nodeText(t, 'one', { devices })).toBe('Laptop');
  expect(nodeText(t, 'two', { devices })).toBe('{"browser":"Chrome","os":"Linux"}');
});

test('a device that is gone is called by its id, which is cut in a row', () => {
  expect(nodeText(t, ID, { devices })).toBe(ID);
  expect(nodeText(t, ID, { devices, isShort: true })).toBe('a0FoeH…Fx8w');
  expect(nodeText(t, 'node-3', { devices, isShort: true })).toBe('node-3');
});
