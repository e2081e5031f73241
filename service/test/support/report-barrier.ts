/** Lets two signers by mistake give the same nonce or coin away before either reports it. */

/** Holds the first report of each of `count` signers until all have come to it. */
export function createBarrier(count: number): () => typeof fetch {
  let waiting = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  return () => {
    let isPassed = false;
    return (async (url: string, init?: RequestInit) => {
      const isReport = String(url).endsWith('/operator/payouts/reports');
      if (isReport && !isPassed) {
        isPassed = true;
        if (++waiting === count) resolve();
        await promise;
      }
      return fetch(url, init);
    }) as typeof fetch;
  };
}
