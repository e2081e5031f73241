import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefresher } from './refresh-queries.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function openPage() {
  const client = new QueryClient();
  const asked: string[] = [];
  const show = (...queryKey: string[]) =>
    new QueryObserver(client, {
      queryKey,
      queryFn: async () => {
        asked.push(queryKey.join('/'));
        return true;
      },
    }).subscribe(() => undefined);
  return { refresher: createRefresher(client), asked, show };
}

test('only what was asked for before the stream was open is asked for again', async () => {
  const { refresher, asked, show } = openPage();
  show('devices');
  refresher.add('ready');
  show('wallets', 'asset');
  await vi.runAllTimersAsync();
  expect(asked).toEqual(['devices', 'wallets/asset', 'devices']);
  refresher.stop();
});

test('what waits until the stream is open is not asked for again', async () => {
  const { refresher, asked, show } = openPage();
  show('devices');
  refresher.add('ready', true);
  await vi.runAllTimersAsync();
  expect(asked).toEqual(['devices']);
  refresher.add('device.connected', false);
  await vi.runAllTimersAsync();
  expect(asked).toEqual(['devices', 'devices']);
  refresher.stop();
});

test('events of one kind make old what was asked for before the last of them', async () => {
  const { refresher, asked, show } = openPage();
  for (const key of ['devices', 'dashboard', 'wallets']) show(key);
  await vi.runAllTimersAsync();
  asked.length = 0;
  refresher.add('device.connected');
  refresher.add('device.connected');
  await vi.runAllTimersAsync();
  expect(asked).toEqual(['devices', 'dashboard']);
  asked.length = 0;
  refresher.add('device.connected');
  show('devices', 'usage');
  refresher.add('device.disconnected');
  await vi.runAllTimersAsync();
  expect(asked).toEqual(['devices/usage', 'devices', 'devices/usage', 'dashboard']);
  refresher.stop();
});

test('an event of another kind makes everything old, and none does after the end', async () => {
  const { refresher, asked, show } = openPage();
  show('devices');
  show('people');
  await vi.runAllTimersAsync();
  asked.length = 0;
  refresher.add('wallet.changed');
  await vi.runAllTimersAsync();
  expect(asked).toEqual(['devices', 'people']);
  refresher.add('wallet.changed');
  refresher.stop();
  await vi.runAllTimersAsync();
  expect(asked).toHaveLength(2);
});
