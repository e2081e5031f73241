/** The popup: the state of this device, what to do about it, and the way to the dashboard. */
import { amountText, readableText } from '../../console/src/lib/money-text.ts';
import { showBrand } from './brand.ts';
import { SERVICE_URL } from './constants.ts';
import { describeStatus } from './describe-status.ts';
import type { Earned, Request, Status } from './messages.ts';
import { findTexts } from './texts/index.ts';

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
const [earnedList, today, yesterday] = [element('earned'), element('today'), element('yesterday')];
const notPaying = element('not-paying');

/** Screen readers announce a change only. */
function write(place: HTMLElement, words: string): void {
  if (place.textContent !== words) place.textContent = words;
}

/** The button of an amount that is cut, which shows its other digits. */
function buttonOf(place: HTMLElement): HTMLButtonElement {
  const existing = place.querySelector('button');
  if (existing) return existing;
  const button = document.createElement('button');
  button.type = 'button';
  button.ariaExpanded = 'false';
  button.addEventListener('click', () => {
    button.ariaExpanded = button.ariaExpanded === 'true' ? 'false' : 'true';
    void ask('status');
  });
  place.replaceChildren(button);
  return button;
}

/** As the dashboard shows it: exact after a press, and for screen readers always. */
function writeAmount(place: HTMLElement, amount: string, currency: string): void {
  const [exact, readable] = [amountText(amount, currency), readableText(amount, currency)];
  if (exact === readable) {
    write(place, exact);
    return;
  }
  const button = buttonOf(place);
  button.title = exact;
  button.ariaLabel = exact;
  write(button, button.ariaExpanded === 'true' ? exact : readable);
}

function showEarned(earned: Earned | undefined): void {
  earnedList.hidden = earned === undefined;
  if (earned === undefined) return;
  writeAmount(today, earned.today, earned.currency);
  writeAmount(yesterday, earned.yesterday, earned.currency);
}

function show(status: Status): void {
  const isSignedIn = !['signedOut', 'stopped'].includes(status.state);
  text.dataset.state = status.state;
  write(text, describeStatus(texts, status));
  write(
    lead,
    isSignedIn ? (status.state === 'online' ? texts.onlineLead : '') : texts.signedOutLead,
  );
  showEarned(status.earned);
  notPaying.hidden = status.isPaying !== false;
  signIn.hidden = isSignedIn;
  signOut.hidden = !isSignedIn;
  dashboard.hidden = !isSignedIn;
}

async function ask(type: Request['type']): Promise<void> {
  show((await chrome.runtime.sendMessage({ type } satisfies Request)) as Status);
}

document.documentElement.lang = tag;
const { name } = chrome.runtime.getManifest();
document.title = name;
element('title').textContent = name;
signIn.textContent = texts.signIn;
signOut.textContent = texts.signOut;
dashboard.textContent = texts.dashboard;
element('today-name').textContent = texts.earnedToday;
element('yesterday-name').textContent = texts.earnedYesterday;
notPaying.textContent = texts.notPaying;
dashboard.href = `${SERVICE_URL}/`;
signIn.addEventListener('click', () => void ask('sign-in'));
signOut.addEventListener('click', () => void ask('sign-out'));
setInterval(() => void ask('status'), REFRESH_MS);
void ask('status');
void showBrand().catch(() => undefined);
