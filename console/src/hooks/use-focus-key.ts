import { type RefObject, useEffect } from 'react';

const FIELDS = 'input, textarea, select';

/**
 * A key that leads to a field, from wherever nothing is written and nothing lies over the page.
 * @param key as `KeyboardEvent.key` names it; undefined: none
 */
export function useFocusKey(key: string | undefined, field: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    if (key === undefined) return undefined;
    const lead = (event: KeyboardEvent): void => {
      const isOther = event.key !== key || event.ctrlKey || event.metaKey || event.altKey;
      if (isOther || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const { target } = event;
      if (target instanceof HTMLElement && (target.isContentEditable || target.closest(FIELDS)))
        return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', lead);
    return () => document.removeEventListener('keydown', lead);
  }, [key, field]);
}
