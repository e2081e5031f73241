/**
 * Restores the focus when the focused element is removed: browsers then focus nothing, keyboards
 * start at the top of the page, and screen readers are silent. The focus goes to what replaced the
 * element: the same control rendered again, the next row, the opener of a dialog, or the heading of
 * the section.
 */

/**
 * Where an element stands: it itself and what it is in, from the inside out, each with its place.
 */
type Trail = readonly {
  readonly element: Element;
  readonly parent: Element;
  readonly index: number;
}[];

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex="0"]';
const FRAME = 'section, dialog, main';
const HEADING = 'h1, h2, h3';

function trailOf(element: Element): Trail {
  const trail: Trail[number][] = [];
  for (let at: Element = element; at.parentElement; at = at.parentElement) {
    trail.push({
      element: at,
      parent: at.parentElement,
      index: [...at.parentElement.children].indexOf(at),
    });
  }
  return trail;
}

function isThere(element: Element): boolean {
  return element.isConnected && element.checkVisibility();
}

/** What is now where something was, if it is of the same kind all the way in. */
function sameWithin(parent: Element, steps: Trail): Element | undefined {
  let at: Element | undefined = parent;
  for (const { element, index } of steps.toReversed()) {
    at = at?.children[index];
    if (at?.tagName !== element.tagName) return undefined;
  }
  return at;
}

function firstWithin(element: Element | undefined): Element | undefined {
  if (!element) return undefined;
  return [element, ...element.querySelectorAll(FOCUSABLE)].find(
    (part) => part.matches(FOCUSABLE) && isThere(part),
  );
}

function headingAround(element: Element): Element | undefined {
  for (
    let frame = element.closest(FRAME);
    frame;
    frame = frame.parentElement?.closest(FRAME) ?? null
  ) {
    const heading = frame.querySelector(HEADING);
    if (heading && isThere(heading)) return heading;
  }
  return undefined;
}

/** What stands for the outermost of these, which is gone, in what it was in. */
function standInFor(steps: Trail): Element | undefined {
  const gone = steps.at(-1);
  if (!gone) return undefined;
  const { parent, index, element } = gone;
  const [at, before] = [parent.children[index], parent.children[index - 1]];
  const lastRow = element.tagName === 'LI' && !at ? before : undefined;
  return (
    sameWithin(parent, steps) ?? firstWithin(at) ?? firstWithin(lastRow) ?? headingAround(parent)
  );
}

/** Restores lost focus until the returned function is called. */
export function keepFocus(): () => void {
  /** Where the focus is, or was before it was lost. */
  let last: { readonly trail: Trail; readonly isSeen: boolean } | undefined;
  const openers = new WeakMap<Element, Trail>();

  const heirOf = (trail: Trail): Element | undefined => {
    const [first] = trail;
    if (!first || isThere(first.element)) return first?.element;
    for (const [at, { element, parent }] of trail.entries()) {
      const opener = openers.get(element);
      if (opener && !isThere(element)) return heirOf(opener);
      if (isThere(parent)) return standInFor(trail.slice(0, at + 1));
    }
    return undefined;
  };

  const isNowhere = (): boolean => document.activeElement === document.body;

  const handleFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const dialog = target.closest('dialog');
    if (dialog && last && !openers.has(dialog)) openers.set(dialog, last.trail);
    last = { trail: trailOf(target), isSeen: target.matches(':focus-visible') };
  };
  const handleBlur = ({ target, relatedTarget }: FocusEvent): void => {
    // The user pressed outside of any control: the focus is not restored. Known after the change.
    queueMicrotask(() => {
      if (relatedTarget === null && isNowhere() && isThere(target as Element)) last = undefined;
    });
  };
  const observer = new MutationObserver(() => {
    const [had] = last?.trail ?? [];
    if (!last || !had || !isNowhere() || isThere(had.element)) return;
    const heir = heirOf(last.trail);
    if (!(heir instanceof HTMLElement)) return;
    if (!heir.matches(FOCUSABLE) && !heir.hasAttribute('tabindex')) heir.tabIndex = -1;
    heir.focus({ preventScroll: !last.isSeen });
  });
  document.addEventListener('focusin', handleFocus);
  document.addEventListener('focusout', handleBlur);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', handleFocus);
    document.removeEventListener('focusout', handleBlur);
    observer.disconnect();
  };
}
