import { expect, test } from 'vitest';
import { currentReadScope, keepReadScope, readFromPrimary, runInReadScope } from './read-scope.ts';

/** Runs asynchronous work in a scope that stays open. */
function inScope<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    runInReadScope(() => void work().then(resolve, reject));
  });
}

test('work is in the scope until it ends, what it has started included', async () => {
  expect(currentReadScope()).toBeUndefined();
  let seen: ReturnType<typeof currentReadScope>;
  const end = runInReadScope(() => {
    seen = currentReadScope();
  });
  expect(currentReadScope()).toBeUndefined();
  expect(seen).toEqual({ isOnPrimary: false });
  end();
  expect(seen).toEqual({ isOnPrimary: true });
});

test('a part that reads from the primary is outside, and what follows asks how far that is', () =>
  inScope(async () => {
    const scope = currentReadScope();
    if (!scope) throw new Error('there is no scope');
    scope.position = Promise.resolve({ lsn: '0/1', mark: 'm' });
    const inside = await readFromPrimary(async () => currentReadScope());
    expect(inside).toBeUndefined();
    expect(currentReadScope()).toBe(scope);
    expect(scope.position).toBeUndefined();
  }));

test('pieces that are asked for outside are read inside, and end with their reader', async () => {
  let isClosed = false;
  async function* read(): AsyncGenerator<boolean> {
    try {
      for (;;) yield currentReadScope() !== undefined;
    } finally {
      isClosed = true;
    }
  }
  const pieces = await inScope(async () => keepReadScope(read()));
  expect((await read().next()).value).toBe(false);
  expect((await pieces.next()).value).toBe(true);
  expect((await pieces.next()).value).toBe(true);
  await pieces.return(undefined);
  expect(isClosed).toBe(true);
});
