/** The popup: the state of this device, what to do about it, and the way to the dashboard. */
import { SERVICE_URL } from './build-constants.ts';
import type { Request, Status } from './messages.ts';
import { fillIn, findTexts } from './texts/index.ts';

const REFRESH_MS = 500;

function element<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the popup has no #${id}`);
  return found as T;
}

const { tag, texts } = findTexts(navigator.languages);
const [text, lead] = [element('status'), element('lead')];
const signIn = element<HTMLButtonElement>('sign-in');
const signOut = element<HTMLButtonElement>('sign-out');
const dashboard = element<HTMLAnchorElement>('dashboard');

function describe({ state, reason = '', isLocal = false }: Status): string {
  return fillIn(texts[state], isLocal ? fillIn(texts.signedOutHere, reason) : reason);
}

/** Screen readers announce a change only. */
function write(place: HTMLElement, words: string): void {
  if (place.textContent !== words) place.textContent = words;
}

function show(status: Status): void {
  const isSignedIn = !['signedOut', 'stopped'].includes(status.state);
  text.dataset.state = status.state;
  write(text, describe(status));
  write(
    lead,
    isSignedIn ? (status.state === 'online' ? texts.onlineLead : '') : texts.signedOutLead,
  );
  signIn.hidden = isSignedIn;
  signOut.hidden = !isSignedIn;
  dashboard.hidden = !isSignedIn;
}

async function ask(type: Request['type']): Promise<void> {
  show((await chrome.runtime.sendMessage({ type } satisfies Request)) as Status);
}

document.documentElement.lang = tag;
document.title = texts.title;
element('title').textContent = texts.title;
signIn.textContent = texts.signIn;
signOut.textContent = texts.signOut;
dashboard.textContent = texts.dashboard;
dashboard.href = `${SERVICE_URL}/`;
signIn.addEventListener('click', () => void ask('sign-in'));
signOut.addEventListener('click', () => void ask('sign-out'));
setInterval(() => void ask('status'), REFRESH_MS);
void ask('status');
