/**
 * The browser's "back" closes what stands above a page (a sheet, an offer) instead of leaving the
 * page. One entry of the history stands above the page's own as long as anything is open; the
 * router never hears of it.
 */
import { useEffectEvent, useLayoutEffect } from 'react';

const GUARD = 'edge-open';

interface Opened {
  readonly isKept: boolean;
  readonly close: () => void;
}

/** What is open, the topmost last. */
let opened: readonly Opened[] = [];

function isGuarded(state: unknown = history.state): boolean {
  return typeof state === 'object' && state !== null && GUARD in state;
}

let wasGuarded = isGuarded();
/** The next step back is made here, not by the person. */
let isOurs = false;

/** What waits until the entry is gone. */
let waiting: readonly (() => void)[] = [];

/**
 * Makes the entry, or takes it away: once it is plain whether something else opens instead, a
 * confirmation after its sheet.
 */
function settle(): void {
  if (isOurs) return;
  // Not by the router's own way, which would load the page anew.
  if (opened.length > 0 && !isGuarded())
    History.prototype.pushState.call(history, { ...history.state, [GUARD]: true }, '');
  isOurs = opened.length === 0 && isGuarded();
  if (isOurs) history.back();
  wasGuarded = isGuarded();
  if (opened.length > 0 || isOurs) return;
  const actions = waiting;
  waiting = [];
  for (const act of actions) act();
}

/**
 * Runs what changes the address once that is the page's own again: not that of the entry which is
 * about to go.
 */
export function whenNothingIsOpen(action: () => void): void {
  waiting = [...waiting, action];
  queueMicrotask(settle);
}

function closeTop(): void {
  const top = opened.at(-1);
  if (!top || top.isKept) return;
  opened = opened.slice(0, -1);
  top.close();
}

function handlePop(event: PopStateEvent): void {
  const isPageReached = wasGuarded && !isGuarded(event.state);
  const isAsked = isPageReached && !isOurs;
  isOurs = false;
  wasGuarded = isGuarded(event.state);
  if (isPageReached) event.stopImmediatePropagation();
  if (isAsked) closeTop();
  // "Forward" leads to nothing that is open; what stays open is guarded anew.
  queueMicrotask(settle);
}

// Before the router, which listens on its way up.
window.addEventListener('popstate', handlePop, { capture: true });
// After a reload nothing is open, on the entry that was made for something.
queueMicrotask(settle);

/** Lets "back" close this as long as it is shown. What is kept stays, and the page as well. */
export function useBack(onBack: () => void, isKept = false): void {
  const close = useEffectEvent(onBack);
  useLayoutEffect(() => {
    const entry = { isKept, close: () => close() };
    opened = [...opened, entry];
    queueMicrotask(settle);
    return () => {
      opened = opened.filter((other) => other !== entry);
      queueMicrotask(settle);
    };
  }, [isKept]);
}
