/**
 * The keyboard in a long list: one Tab stop, and keys that lead from row to row however far away.
 * The row with the focus exists wherever the page is scrolled to, so that the focus falls nowhere.
 */
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

export interface VisibleRows {
  readonly first: number;
  readonly last: number;
}

export interface RovingRows {
  /** The row in which the focus is, or goes: it must exist. */
  readonly held: number | undefined;
  readonly handlers: {
    onKeyDown(event: KeyboardEvent<HTMLElement>): void;
    onFocus(event: FocusEvent<HTMLElement>): void;
    onBlur(event: FocusEvent<HTMLElement>): void;
  };
}

/** Where a key leads from a row; undefined for keys that mean nothing here. */
export function rowAfterKey(
  key: string,
  index: number,
  { total, page }: { readonly total: number; readonly page: number },
): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: total - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.min(total - 1, Math.max(0, target));
}

/** A key without others, that no control of the row has used or needs. */
function isForRows(event: KeyboardEvent<HTMLElement>): boolean {
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (event.defaultPrevented || hasModifier) return false;
  return !(event.target as Element).matches('input, select, textarea');
}

function indexOf(row: Element): number {
  return Number(row.getAttribute('aria-posinset')) - 1;
}

function rowAround(target: EventTarget): Element | null {
  return target instanceof Element ? target.closest('[aria-posinset]') : null;
}

function controlsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')];
}

/** What the keys lead to in a row: its entry, where it has one, and not what stands above it. */
function firstOf(row: Element): HTMLElement | undefined {
  return row.querySelector<HTMLElement>('[data-entry]') ?? controlsOf(row)[0];
}

/**
 * Leaves one row of the list to the Tab key: what it has to press, or itself where that is nothing.
 */
function setStops(rows: readonly HTMLElement[], stop: number): void {
  const hasControls = rows.some((row) => controlsOf(row).length > 0);
  for (const row of rows) {
    const controls = controlsOf(row);
    const isStop = indexOf(row) === stop;
    for (const control of controls) control.tabIndex = isStop ? 0 : -1;
    if (controls.length === 0 && isStop && hasControls) row.tabIndex = 0;
    else if (row !== document.activeElement) row.removeAttribute('tabindex');
  }
}

export function useRovingRows(
  list: RefObject<HTMLElement | null>,
  total: number,
  visible: VisibleRows,
): RovingRows {
  const [held, setHeld] = useState<number>();
  const [left, setLeft] = useState(0);
  /** The focus goes there as soon as there is something to have it. */
  const wanted = useRef<number>(undefined);

  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])] as HTMLElement[];
    const goal = rows.find((row) => indexOf(row) === wanted.current);
    if (goal) {
      const control = firstOf(goal);
      if (!control) goal.tabIndex = 0;
      (control ?? goal).focus();
      if (control) wanted.current = undefined;
    }
    // After the focus: the row that has it keeps what makes it able to.
    setStops(rows, held ?? Math.min(visible.last, Math.max(visible.first, left)));
    // A row that moves takes the focus along.
    const holder = rows.find((row) => row.contains(document.activeElement));
    if (holder && indexOf(holder) !== held) setHeld(indexOf(holder));
  });

  return {
    held,
    handlers: {
      onKeyDown(event) {
        const row = rowAround(event.target);
        if (!row || !isForRows(event)) return;
        const next = rowAfterKey(event.key, indexOf(row), {
          total,
          page: Math.max(1, visible.last - visible.first),
        });
        if (next === undefined || next === indexOf(row)) return;
        event.preventDefault();
        wanted.current = next;
        setHeld(next);
      },
      onFocus(event) {
        const row = rowAround(event.target);
        if (!row) return;
        if (indexOf(row) !== wanted.current) wanted.current = undefined;
        setHeld(indexOf(row));
      },
      onBlur(event) {
        if (
          event.relatedTarget instanceof Node &&
          event.currentTarget.contains(event.relatedTarget)
        )
          return;
        // A row that is replaced when it is loaded loses the focus, and gets it back.
        const row = rowAround(event.target);
        queueMicrotask(() => {
          if (row?.isConnected) wanted.current = undefined;
        });
        if (held !== undefined) setLeft(held);
        setHeld(undefined);
      },
    },
  };
}
