/**
 * What the network is called, and how it looks. The service writes it into the document, so that
 * the first paint has it; a page without it shows the service's own.
 */
import type { ResponseBody } from '@edge-account/sdk';
import { useSyncExternalStore } from 'react';

export type Brand = Omit<ResponseBody<'/brand', 'get'>, 'accent' | 'shades'>;

const DEFAULT_BRAND: Brand = { name: 'Edge Account', sign_in_text: {} };

function readDocument(): Brand {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="edge-brand"]');
  return meta ? (JSON.parse(meta.content) as Brand) : DEFAULT_BRAND;
}

let brand = readDocument();
const listeners = new Set<() => void>();

const readBrand = (): Brand => brand;

function onBrandChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function useBrand(): Brand {
  return useSyncExternalStore(onBrandChange, readBrand);
}

/** Takes up what an operator has just set. */
export function changeBrand(changed: Brand): void {
  brand = changed;
  for (const listener of listeners) listener();
}

/** In the reader's language (BCP 47), or in English; undefined where the network says nothing. */
export function signInTextOf({ sign_in_text: texts }: Brand, language: string): string | undefined {
  const found = Object.entries(texts).find(([code]) => code === language.split('-', 1)[0]);
  return found?.[1] ?? texts.en;
}
