/** The nonce that this page's style elements carry; the service puts a fresh one into every answer. */
import { setNonce } from 'get-nonce';

export function readNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
}

/** Hands the nonce to the scroll lock of dialogs, which makes style elements of its own. */
export function provideNonce(): void {
  setNonce(readNonce());
}
