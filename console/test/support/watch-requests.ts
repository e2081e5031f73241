import type { Page, Request } from 'playwright-core';

/** @returns a function that waits until no request of the page is open except the event stream */
export function watchRequests(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let onEnd: () => void = () => undefined;
  const end = (request: Request): void => {
    if (underWay.delete(request) && underWay.size === 0) onEnd();
  };
  page.on('request', (request) => {
    if (!request.url().endsWith('/me/events')) underWay.add(request);
  });
  // A body that the page does not read never finishes.
  page.on('response', (response) => end(response.request()));
  page.on('requestfailed', end);
  return async () => {
    if (underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      onEnd = resolve;
    });
  };
}
