/** The popup: the state of this device, and one button. */
import type { Request, Status } from './messages.ts';

const REFRESH_MS = 500;

function element<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the popup has no #${id}`);
  return found as T;
}

const [text, signIn, signOut] = [
  element('status'),
  element<HTMLButtonElement>('sign-in'),
  element<HTMLButtonElement>('sign-out'),
];

async function ask(type: Request['type']): Promise<void> {
  const status = (await chrome.runtime.sendMessage({ type } satisfies Request)) as Status;
  text.textContent = status.text;
  signIn.hidden = status.isSignedIn;
  signOut.hidden = !status.isSignedIn;
}

signIn.addEventListener('click', () => void ask('sign-in'));
signOut.addEventListener('click', () => void ask('sign-out'));
setInterval(() => void ask('status'), REFRESH_MS);
void ask('status');
