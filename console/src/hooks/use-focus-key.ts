import { type RefObject, useEffect } from 'react';

const FIELDS = 'input, textarea, select';

type Press = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'defaultPrevented'
>;

/**
 * Whether a press leads to the field: alone, for nothing else, and where nothing is written. With
 * Shift it counts too, as some keyboards have the character there.
 */
export function leadsToField(press: Press, key: string, isWriting: boolean): boolean {
  const isOther = press.key !== key || press.ctrlKey || press.metaKey || press.altKey;
  return !isOther && !press.isComposing && !press.defaultPrevented && !isWriting;
}

function isWritable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest(FIELDS) !== null)
  );
}

/**
 * A key that leads to a field, from wherever nothing is written and nothing lies over the page.
 * @param key as `KeyboardEvent.key` names it; undefined: none
 */
export function useFocusKey(key: string | undefined, field: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    if (key === undefined) return undefined;
    const lead = (event: KeyboardEvent): void => {
      if (!leadsToField(event, key, isWritable(event.target))) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', lead);
    return () => document.removeEventListener('keydown', lead);
  }, [key, field]);
}
